"""Builds the data of every task's context folder from raw/ and from the invented ledger. Prose is written by hand."""

from __future__ import annotations

from pathlib import Path

from recipe.files import csv_text, read_csv, read_json, records_text, write_bytes, write_database
from recipe.ledger import DEPARTMENTS, make_ledger

CRLF = "\r\n"
CITIES = {"Seattle": "西雅图", "New York": "纽约"}
WEATHER = {"drizzle": "毛毛雨", "fog": "雾", "rain": "雨", "snow": "雪", "sun": "晴"}


def build_contexts(raw: Path, inputs: Path) -> None:
    def context(task: str) -> Path:
        return inputs / task / "context"

    write_bytes(context("task_01_snow_days") / "csv/seattle-weather.csv", city_weather(raw, "Seattle"))
    write_bytes(context("task_02_gentoo_mass") / "json/penguins.json", (raw / "penguins.json").read_bytes())
    write_bytes(context("task_03_construction_low") / "csv/us-employment.csv", (raw / "us-employment.csv").read_bytes())
    chinese_weather(raw, context("task_04_hottest_day") / "db/weather.db")
    flat_strikes(raw, context("task_05_strike_costs") / "db/birdstrikes.db")
    penguins = records_text("penguins", read_json(raw / "penguins.json"))
    write_bytes(context("task_06_penguins_without_sex") / "json/penguins.json", penguins)
    write_bytes(context("task_07_deposits_in_march") / "csv/定金台账.csv", deposits_csv())
    flights_and_airports(raw, context("task_08_alaska_landings"))
    strikes_and_airports(raw, context("task_09_damaging_departures") / "db/birdstrikes.db")
    ledger_and_contracts(context("task_10_deposit_conversion"))
    write_bytes(context("task_11_jobs_lost") / "csv/us-employment.csv", (raw / "us-employment.csv").read_bytes())
    write_bytes(context("task_12_heat_spells") / "csv/new-york-weather.csv", city_weather(raw, "New York"))
    write_bytes(context("task_13_hot_days") / "csv/new-york-weather.csv", city_weather(raw, "New York"))


def city_weather(raw: Path, city: str) -> bytes:
    rows = [row for row in read_csv(raw / "weather.csv") if row.pop("location") == city]
    return csv_text(list(rows[0]), [list(row.values()) for row in rows])


def chinese_weather(raw: Path, file: Path) -> None:
    """Both cities, 2014 and 2015, with the column names and the words translated."""
    rows = [
        (
            CITIES[row["location"]],
            row["date"],
            float(row["precipitation"]),
            float(row["temp_max"]),
            float(row["temp_min"]),
            float(row["wind"]),
            WEATHER[row["weather"]],
        )
        for row in read_csv(raw / "weather.csv")
        if row["date"] >= "2014"
    ]
    columns = "城市 TEXT, 日期 TEXT, 降水量 REAL, 最高气温 REAL, 最低气温 REAL, 风速 REAL, 天气 TEXT"
    write_database(file, [(f"CREATE TABLE 每日天气 ({columns})", rows)])


def flat_strikes(raw: Path, file: Path) -> None:
    columns = (
        "strike_id INTEGER PRIMARY KEY, flight_date TEXT, airport TEXT, state TEXT, operator TEXT, aircraft TEXT, "
        "phase TEXT, species TEXT, size TEXT, time_of_day TEXT, damage TEXT, "
        "repair_cost INTEGER, other_cost INTEGER, total_cost INTEGER, speed_knots INTEGER"
    )
    rows = [
        (
            number,
            row["Flight Date"],
            row["Airport Name"],
            row["Origin State"],
            row["Aircraft Airline Operator"],
            row["Aircraft Make Model"],
            row["Phase of flight"],
            row["Wildlife Species"],
            row["Wildlife Size"],
            row["Time of day"],
            row["Effect Amount of damage"],
            int(row["Cost Repair"]),
            int(row["Cost Other"]),
            int(row["Cost Total $"]),
            int(row["Speed IAS in knots"]) if row["Speed IAS in knots"] else None,
        )
        for number, row in enumerate(read_csv(raw / "birdstrikes.csv"), 1)
    ]
    write_database(file, [(f"CREATE TABLE strikes ({columns})", rows)])


def strikes_and_airports(raw: Path, file: Path) -> None:
    strikes = read_csv(raw / "birdstrikes.csv")
    airports = sorted({(row["Airport Name"], row["Origin State"]) for row in strikes})
    ids = {name: number for number, (name, _) in enumerate(airports, 1)}
    rows = [
        (
            number,
            ids[row["Airport Name"]],
            row["Flight Date"],
            row["Aircraft Airline Operator"],
            row["Phase of flight"],
            row["Wildlife Species"],
            row["Effect Amount of damage"],
        )
        for number, row in enumerate(strikes, 1)
    ]
    airport = "airport_id INTEGER PRIMARY KEY, name TEXT, state TEXT"
    strike = (
        "strike_id INTEGER PRIMARY KEY, airport_id INTEGER REFERENCES airport (airport_id), flight_date TEXT, "
        "operator TEXT, phase TEXT, species TEXT, damage TEXT"
    )
    named = [(ids[name], name, state) for name, state in airports]
    write_database(file, [(f"CREATE TABLE airport ({airport})", named), (f"CREATE TABLE strike ({strike})", rows)])


def flights_and_airports(raw: Path, folder: Path) -> None:
    flights = read_csv(raw / "flights-airport.csv")
    rows = [list(row.values()) for row in flights]
    write_bytes(folder / "csv/flights.csv", csv_text(list(flights[0]), rows, CRLF))
    airports = [
        {**row, "latitude": float(row["latitude"]), "longitude": float(row["longitude"])}
        for row in read_csv(raw / "airports.csv")
    ]
    write_bytes(folder / "json/airports.json", records_text("airports", airports))


def deposits_csv() -> bytes:
    names = {department.dept_id: department.name for department in DEPARTMENTS}
    rows = [
        (deposit.deposit_no, names[deposit.dept_id], deposit.paid_on, deposit.booked_on, deposit.amount, deposit.status)
        for deposit in make_ledger().deposits
    ]
    return csv_text(("定金编号", "部门", "收款日期", "入账日期", "金额", "状态"), rows, CRLF)


def ledger_and_contracts(folder: Path) -> None:
    ledger = make_ledger()
    departments = [(department.dept_id, department.name, department.zone) for department in DEPARTMENTS]
    deposits = [
        (
            deposit.deposit_no,
            deposit.dept_id,
            deposit.paid_on.isoformat(),
            deposit.booked_on.isoformat(),
            deposit.amount,
            deposit.status,
        )
        for deposit in ledger.deposits
    ]
    deposit_columns = (
        "deposit_no TEXT PRIMARY KEY, dept_id INTEGER REFERENCES departments (dept_id), paid_on TEXT, booked_on TEXT, "
        "amount INTEGER, status TEXT"
    )
    write_database(
        folder / "db/ledger.db",
        [
            ("CREATE TABLE departments (dept_id INTEGER PRIMARY KEY, dept_name TEXT, zone_name TEXT)", departments),
            (f"CREATE TABLE deposits ({deposit_columns})", deposits),
        ],
    )
    names = {department.dept_id: department.name for department in DEPARTMENTS}
    contracts = [
        (
            contract.contract_no,
            contract.deposit.deposit_no if contract.deposit else None,
            names[contract.dept_id],
            contract.signed_on,
            contract.amount,
            contract.kind,
        )
        for contract in ledger.contracts
    ]
    columns = ("合同编号", "定金编号", "签约部门", "签约日期", "合同金额", "合同类型")
    write_bytes(folder / "csv/签约合同.csv", csv_text(columns, contracts, CRLF))
