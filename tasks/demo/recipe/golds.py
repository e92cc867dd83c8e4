"""The gold answer of every task, worked out from its context folder as a careful reader of knowledge.md would.

Beside the gold each function gives `tempting` answers: what comes out when one rule is overlooked. A task is worth asking only
where all of them are wrong, and `make_demo.py` holds each of them to that.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Sequence, Tuple

from recipe.files import query, read_csv, read_json

Rows = List[Tuple[Any, ...]]


class Answer(NamedTuple):
    columns: Tuple[str, ...]
    rows: Rows
    #: What went wrong → the rows that come of it.
    tempting: Dict[str, Rows]


def two_places(value: Fraction) -> str:
    """Rounds half up, exactly."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return str(exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))


def percent(part: Any, whole: Any) -> str:
    return two_places(Fraction(part) * 100 / Fraction(whole))


def snow_days(context: Path) -> Answer:
    days = read_csv(context / "csv/seattle-weather.csv")
    snow = [day for day in days if day["weather"] == "snow"]
    in_2015 = [day for day in snow if day["date"].startswith("2015")]
    return Answer(("days",), [(len(in_2015),)], {"every year": [(len(snow),)], "an empty table": []})


def gentoo_mass(context: Path) -> Answer:
    penguins = read_json(context / "json/penguins.json")
    gentoos = [bird["Body Mass (g)"] for bird in penguins if bird["Species"] == "Gentoo"]
    weighed = [mass for mass in gentoos if mass is not None]
    return Answer(
        ("average_body_mass_g",),
        [(two_places(Fraction(sum(weighed), len(weighed))),)],
        {"a bird that was not weighed counts as 0 g": [(two_places(Fraction(sum(weighed), len(gentoos))),)]},
    )


def construction_low(context: Path) -> Answer:
    months = read_csv(context / "csv/us-employment.csv")
    lowest = min(int(month["construction"]) for month in months)
    low = [(month["month"],) for month in months if int(month["construction"]) == lowest]
    return Answer(("month",), low, {"the number instead of the month": [(lowest,)]})


def hottest_day(context: Path) -> Answer:
    days = query(context / "db/weather.db", "SELECT 城市, 日期, 最高气温 FROM 每日天气")

    def hottest(chosen: Sequence[Any]) -> Rows:
        top = max(day["最高气温"] for day in chosen)
        return [(day["日期"], top) for day in chosen if day["最高气温"] == top]

    in_2014 = [day for day in days if day["日期"].startswith("2014")]
    new_york = [day for day in days if day["城市"] == "纽约"]
    rows = hottest([day for day in new_york if day in in_2014])
    return Answer(
        ("日期", "最高气温"),
        rows,
        {"either city": hottest(in_2014), "every year": hottest(new_york), "the temperature alone": [(high,) for _, high in rows]},
    )


def strike_costs(context: Path) -> Answer:
    strikes = query(context / "db/birdstrikes.db", "SELECT * FROM strikes")
    american = [strike for strike in strikes if strike["operator"] == "AMERICAN AIRLINES"]
    in_1999 = [strike for strike in american if strike["flight_date"].startswith("1999")]

    def total(chosen: Sequence[Any], *columns: str) -> Rows:
        return [(sum(strike[column] for strike in chosen for column in columns),)]

    both_airlines = [strike for strike in strikes if strike["operator"].startswith("AMERICAN ")]
    return Answer(
        ("cost_usd",),
        total(in_1999, "total_cost"),
        {
            "repairs only": total(in_1999, "repair_cost"),
            "other costs only": total(in_1999, "other_cost"),
            "costs counted twice": total(in_1999, "total_cost", "repair_cost", "other_cost"),
            "both years": total(american, "total_cost"),
            "every airline whose name starts alike": total(both_airlines, "total_cost"),
        },
    )


def penguins_without_sex(context: Path) -> Answer:
    penguins = read_json(context / "json/penguins.json")["records"]

    def listed(without_sex: Callable[[Any], bool], everywhere: bool = False) -> Rows:
        return [
            (bird["Species"], bird["Flipper Length (mm)"], bird["Body Mass (g)"])
            for bird in penguins
            if without_sex(bird["Sex"]) and (everywhere or bird["Island"] == "Biscoe")
        ]

    rows = listed(lambda sex: sex not in ("MALE", "FEMALE"))
    return Answer(
        ("species", "flipper_length_mm", "body_mass_g"),
        rows,
        {
            "only null is missing": listed(lambda sex: sex is None),
            "only the dot is missing": listed(lambda sex: sex == "."),
            "birds without measurements left out": [row for row in rows if None not in row],
            "every island": listed(lambda sex: sex not in ("MALE", "FEMALE"), everywhere=True),
        },
    )


def deposits_in_march(context: Path) -> Answer:
    deposits = [row for row in read_csv(context / "csv/定金台账.csv") if row["部门"] == "成都三部"]

    def count(column: str, statuses: Sequence[str]) -> Rows:
        return [(sum(row[column].startswith("2026-03") and row["状态"] in statuses for row in deposits),)]

    every = ("有效", "已退", "作废")
    return Answer(
        ("有效定金笔数",),
        count("收款日期", ["有效"]),
        {
            "booked in March": count("入账日期", ["有效"]),
            "refunded and void ones too": count("收款日期", every),
            "both mistakes": count("入账日期", every),
        },
    )


def alaska_landings(context: Path) -> Answer:
    airports = read_json(context / "json/airports.json")["records"]
    alaska = {airport["iata"] for airport in airports if airport["state"] == "AK"}
    routes = read_csv(context / "csv/flights.csv")
    landing = [route for route in routes if route["destination"] in alaska]
    flights = {end: sum(int(route["count"]) for route in routes if route[end] in alaska) for end in ("origin", "destination")}
    from_outside = sum(int(route["count"]) for route in landing if route["origin"] not in alaska)
    return Answer(
        ("flights",),
        [(flights["destination"],)],
        {
            "take-offs": [(flights["origin"],)],
            "routes instead of flights": [(len(landing),)],
            "only from other states": [(from_outside,)],
        },
    )


def damaging_departures(context: Path) -> Answer:
    strikes = query(context / "db/birdstrikes.db", "SELECT * FROM strike JOIN airport USING (airport_id)")
    departure, damaging = ("Take-off run", "Climb"), ("Minor", "Medium", "Substantial")

    def top(year: str, phases: Sequence[str], damages: Sequence[str]) -> Rows:
        counts = Counter(
            strike["name"]
            for strike in strikes
            if strike["flight_date"].startswith(year) and strike["phase"] in phases and strike["damage"] in damages
        )
        return [(name, count) for name, count in sorted(counts.items()) if count == max(counts.values())]

    rows = top("1998", departure, damaging)
    return Answer(
        ("airport", "strikes"),
        rows,
        {
            "one airport where several tie": rows[:1],
            "both years": top("199", departure, damaging),
            "climb only": top("1998", ["Climb"], damaging),
            "substantial damage only": top("1998", departure, ["Substantial"]),
            "strikes without damage too": top("1998", departure, (*damaging, "None")),
            "every phase": top("1998", ("Approach", "Climb", "Descent", "Landing Roll", "Take-off run", "Taxi", "Parked"), damaging),
        },
    )


def deposit_conversion(context: Path) -> Answer:
    deposits = query(context / "db/ledger.db", "SELECT * FROM deposits JOIN departments USING (dept_id)")
    contracts = read_csv(context / "csv/签约合同.csv")
    zones = {row["dept_name"]: row["zone_name"] for row in query(context / "db/ledger.db", "SELECT * FROM departments")}

    def extremes(unit="zone_name", day="paid_on", statuses=("有效",), kinds=("新签",), days=30, rows=False, by_signer=False) -> Rows:
        counted = {
            deposit["deposit_no"]: deposit
            for deposit in deposits
            if "2026-01-01" <= deposit[day] <= "2026-03-31" and deposit["status"] in statuses
        }
        whole = Counter(deposit[unit] for deposit in counted.values())
        signed = [
            contract
            for contract in contracts
            if contract["定金编号"] in counted
            and contract["合同类型"] in kinds
            and days_between(counted[contract["定金编号"]]["paid_on"], contract["签约日期"]) <= days
        ]
        if not rows:
            signed = list({contract["定金编号"]: contract for contract in signed}.values())
        part = Counter(zones[contract["签约部门"]] if by_signer else counted[contract["定金编号"]][unit] for contract in signed)
        rates = {name: Fraction(part[name], whole[name]) for name in whole}
        ends = (max(rates.values()), min(rates.values()))
        return [(name, percent(rate, 1)) for end in ends for name, rate in sorted(rates.items()) if rate == end]

    every = ("新签", "补签", "续费")
    return Answer(
        ("战区", "定金转化率"),
        extremes(),
        {
            "departments instead of zones": extremes(unit="dept_name"),
            "by the day of booking": extremes(day="booked_on"),
            "refunded and void deposits too": extremes(statuses=("有效", "已退", "作废")),
            "signed at any time": extremes(days=10_000),
            "less than 30 days": extremes(days=29),
            "contracts instead of deposits": extremes(kinds=every, rows=True),
            "credited to the department that signed": extremes(by_signer=True),
            "the best zone only": extremes()[:1],
        },
    )


def days_between(first: str, last: str) -> int:
    return (date.fromisoformat(last) - date.fromisoformat(first)).days


MAIN_SECTORS = (
    "mining_and_logging",
    "construction",
    "manufacturing",
    "trade_transportation_utilties",
    "information",
    "financial_activities",
    "professional_and_business_services",
    "education_and_health_services",
    "leisure_and_hospitality",
    "other_services",
    "government",
)


def jobs_lost(context: Path) -> Answer:
    months = read_csv(context / "csv/us-employment.csv")
    every_column = [column for column in months[0] if column not in ("month", "nonfarm_change")]

    def worst(sectors=MAIN_SECTORS, reference="2007-12-01", last="2011-12-01", after_trough=True) -> Rows:
        found = []
        for sector in sectors:
            jobs = {month["month"]: Fraction(month[sector]) for month in months}
            before = jobs[reference]
            window = {month: count for month, count in jobs.items() if reference < month <= last}
            trough = min(window, key=lambda month: (window[month], month))
            start = trough if after_trough else reference
            back = [month for month, count in jobs.items() if month > start and count >= before]
            found.append(((before - window[trough]) / before, sector, back[0] if back else None))
        found.sort(reverse=True, key=lambda one: one[0])
        return [(sector, percent(loss, 1), back) for loss, sector, back in found[:5]]

    return Answer(
        ("sector", "loss_percent", "back_in"),
        worst(),
        {
            "totals and parts mixed in with sectors": worst(sectors=every_column),
            "only until the recession's end": worst(last="2009-06-01"),
            "from January 2008": worst(reference="2008-01-01"),
            "back before it fell": worst(after_trough=False),
            "sectors that never recovered left out": [row for row in worst() if row[2]],
        },
    )


def heat_spells(context: Path) -> Answer:
    highs = {date.fromisoformat(row["date"]): row["temp_max"] for row in read_csv(context / "csv/new-york-weather.csv")}

    def spells(hot="32.2", bridge="29.4", hot_days=3, count_bridge=False, length_of_hot_days=False) -> Rows:
        def reached(day: date, limit: str) -> bool:
            return day in highs and Decimal(highs[day]) >= Decimal(limit)

        runs: List[List[date]] = [[]]
        for day in sorted(highs):
            gap_is_bridged = reached(day, bridge) and day - timedelta(1) in runs[-1] and reached(day - timedelta(1), hot)
            if reached(day, hot) or (gap_is_bridged and reached(day + timedelta(1), hot)):
                runs[-1].append(day)
            elif runs[-1]:
                runs.append([])
        rows = []
        for run in runs:
            hot_ones = sum(reached(day, hot) for day in run)
            if run and (len(run) if count_bridge else hot_ones) >= hot_days:
                length = hot_ones if length_of_hot_days else len(run)
                rows.append((run[0].isoformat(), length, max((highs[day] for day in run), key=Decimal)))
        return rows

    return Answer(
        ("first_day", "days", "highest_temperature"),
        spells(),
        {
            "no day bridged": spells(bridge="99"),
            "a bridged day counts as a hot one": spells(count_bridge=True),
            "length without the bridged day": spells(length_of_hot_days=True),
            "more than 29.4 instead of at least": spells(bridge="29.5"),
            "the first edition's rule": spells(hot="34.4", bridge="99", hot_days=2),
            "30 degrees for three days": spells(hot="30.0", bridge="99"),
        },
    )


def hot_days(context: Path) -> Answer:
    days = read_csv(context / "csv/new-york-weather.csv")

    def count(year: str = "2013", limit: str = "32.2", above: bool = False) -> Rows:
        highs = [Decimal(day["temp_max"]) for day in days if day["date"].startswith(year)]
        return [(sum(high > Decimal(limit) if above else high >= Decimal(limit) for high in highs),)]

    return Answer(
        ("hot_days",),
        count(),
        {
            "every day": [(sum(day["date"].startswith("2013") for day in days),)],
            "every year": count(year=""),
            "above the limit instead of at it": count(above=True),
            "warm days": count(limit="25"),
            "30 degrees, as other desks have it": count(limit="30"),
        },
    )


GOLDS: Dict[str, Callable[[Path], Answer]] = {
    "task_01_snow_days": snow_days,
    "task_02_gentoo_mass": gentoo_mass,
    "task_03_construction_low": construction_low,
    "task_04_hottest_day": hottest_day,
    "task_05_strike_costs": strike_costs,
    "task_06_penguins_without_sex": penguins_without_sex,
    "task_07_deposits_in_march": deposits_in_march,
    "task_08_alaska_landings": alaska_landings,
    "task_09_damaging_departures": damaging_departures,
    "task_10_deposit_conversion": deposit_conversion,
    "task_11_jobs_lost": jobs_lost,
    "task_12_heat_spells": heat_spells,
    "task_13_hot_days": hot_days,
}
