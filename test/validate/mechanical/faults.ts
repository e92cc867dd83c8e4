import { type Fault, field, look, peek, probe, profile, read, search, values } from "./script.js";

/** Faulty submissions that the rules may be tuned on. */
export const FAULTS: readonly Fault[] = [
  // 1: unseen sources
  {
    rule: 1,
    name: "profiles one table and guesses the columns of the one that it joins",
    task: "kdd-demo/task_303",
    steps: [look, profile("races")],
    submit: [
      "SELECT 100.0 * count(*) FILTER (WHERE c.country = 'Germany') / count(*) FROM races r JOIN circuits c ON c.circuitId = r.circuitId WHERE r.name = 'European Grand Prix'",
    ],
  },
  {
    rule: 1,
    name: "only lists and searches the catalog, then submits",
    task: "kdd-demo/task_305",
    steps: [look, search("fastest lap speed Spanish Grand Prix")],
    submit: [
      "SELECT max(fastestLapSpeed) FROM results WHERE raceId = (SELECT raceId FROM races WHERE year = 2009 AND name = 'Spanish Grand Prix')",
    ],
  },
  {
    rule: 1,
    name: "looks at one field of one table and answers from another table",
    task: "kdd-demo/task_75",
    steps: [search("best lap second qualifying"), field("qualifying", "q2")],
    submit: [
      "SELECT d.surname FROM drivers d JOIN qualifying q USING (driverId) WHERE q.raceId = 19 ORDER BY q.q2 LIMIT 1",
    ],
  },
  {
    rule: 1,
    name: "counts a table's rows and then reads columns that it never saw",
    task: "kdd-demo/task_89",
    steps: [
      probe("SELECT raceId FROM races WHERE year = 2008 AND name = 'Chinese Grand Prix'"),
      probe("SELECT count(*) FROM results"),
    ],
    submit: [
      "SELECT time FROM results WHERE rank = 2 AND raceId = (SELECT raceId FROM races WHERE year = 2008 AND name = 'Chinese Grand Prix')",
    ],
  },
  {
    rule: 1,
    name: "hides the unseen table in a CTE with a quoted name in another case",
    task: "kdd-demo/task_305",
    steps: [profile("races")],
    submit: [
      `WITH runs AS (SELECT "RaceId" AS id, "FastestLapSpeed" AS speed FROM "RESULTS"), spain AS (SELECT raceId AS id FROM races WHERE year = 2009 AND name = 'Spanish Grand Prix')
       SELECT max(speed) AS speed FROM runs JOIN spain USING (id)`,
    ],
  },
  {
    rule: 1,
    name: "filters by a column that neither knowledge.md nor any call has shown",
    task: "demo/task_09_damaging_departures",
    question: "How many strikes of Mallards were there in 1998?",
    steps: [probe("SELECT count(*) FROM strike WHERE year(flight_date) = 1998")],
    submit: ["SELECT count(*) FROM strike WHERE year(flight_date) = 1998 AND lower(species) = 'mallard'"],
  },
  // 2: unseen values
  {
    rule: 2,
    name: "misspells a value",
    task: "kdd-demo/task_261",
    steps: [profile("superhero"), profile("superpower"), profile("hero_power")],
    submit: [
      "SELECT count(*) FROM superhero s JOIN hero_power h ON h.hero_id = s.id JOIN superpower p ON p.id = h.power_id WHERE p.power_name = 'Super Strenght' AND s.height_cm > 200",
    ],
  },
  {
    rule: 2,
    name: "filters by words for a value instead of the value",
    task: "demo/task_02_gentoo_mass",
    steps: [profile("penguins")],
    submit: [`SELECT round(avg("Body Mass (g)"), 2) FROM penguins WHERE "Species" = 'Gentoo penguin'`],
  },
  {
    rule: 2,
    name: "invents a code for a status",
    task: "demo/task_07_deposits_in_march",
    steps: [field("定金台账", "收款日期")],
    submit: [
      "SELECT count(*) FROM 定金台账 WHERE 部门 = '成都三部' AND 状态 IN ('已生效', '正常') AND 收款日期 BETWEEN '2026-03-01' AND '2026-03-31'",
    ],
  },
  {
    rule: 2,
    name: "misspells one of two values in a list",
    task: "demo/task_09_damaging_departures",
    question: "How many strikes happened on departure?",
    steps: [profile("strike")],
    submit: ["SELECT count(*) FROM strike WHERE phase IN ('Take-off', 'Take off run', 'Climb')"],
  },
  {
    rule: 2,
    name: "writes a value in another case, literal on the left",
    task: "demo/task_01_snow_days",
    steps: [profile("seattle_weather")],
    submit: ["SELECT count(*) FROM seattle_weather WHERE 'Snow' = weather AND year(date) = 2015"],
  },
  {
    rule: 2,
    name: "searches for a pattern that no value has",
    task: "demo/task_05_strike_costs",
    question: "How many strikes were there with geese?",
    steps: [profile("strikes")],
    submit: ["SELECT count(*) FROM strikes WHERE species ILIKE '%geese%'"],
  },
  // 3: unproven joins and fan-out
  {
    rule: 3,
    name: "joins two numbers that have nothing to do with each other",
    task: "kdd-demo/task_303",
    steps: [profile("races"), profile("circuits")],
    submit: [
      "SELECT 100.0 * count(*) FILTER (WHERE c.country = 'Germany') / count(*) FROM races r JOIN circuits c ON r.round = c.circuitId WHERE r.name = 'European Grand Prix'",
    ],
  },
  {
    rule: 3,
    name: "skips the bridge table and joins a power's id to a hero's id",
    task: "kdd-demo/task_269",
    steps: [profile("superhero"), profile("superpower")],
    submit: ["SELECT superhero_name FROM superhero s, superpower p WHERE s.id = p.id AND p.power_name = 'Death Touch'"],
  },
  {
    rule: 3,
    name: "joins drivers by their car's number",
    task: "kdd-demo/task_75",
    steps: [profile("qualifying"), profile("drivers")],
    submit: ["SELECT surname FROM qualifying JOIN drivers USING (number) WHERE raceId = 19 ORDER BY q2 LIMIT 1"],
  },
  {
    rule: 3,
    name: "attributes by the department that signed, joined by name",
    task: "demo/task_10_deposit_conversion",
    question: "2026年第一季度每个战区签了多少份新签合同？",
    steps: [profile("签约合同"), profile("departments"), profile("deposits")],
    submit: [
      `SELECT d.zone_name, count(*) FROM "签约合同" c JOIN departments d ON c."签约部门" = d.dept_name WHERE c."合同类型" = '新签' AND c."签约日期" BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' GROUP BY 1`,
    ],
  },
  {
    rule: 3,
    name: "averages a hero's weight once for each of its powers",
    task: "kdd-demo/task_261",
    question: "What is the average weight of all superheroes that have a power?",
    steps: [profile("superhero"), profile("hero_power")],
    submit: ["SELECT avg(s.weight_kg) FROM superhero s JOIN hero_power h ON h.hero_id = s.id"],
  },
  {
    rule: 3,
    name: "sums deposits once for each contract",
    task: "demo/task_10_deposit_conversion",
    question: "有签约合同的有效定金总额是多少？",
    steps: [
      profile("deposits"),
      profile("签约合同"),
      probe(`SELECT count(*) FROM "签约合同" c WHERE c."定金编号" IN (SELECT deposit_no FROM deposits)`),
    ],
    submit: [
      `SELECT sum(d.amount) FROM deposits d INNER JOIN "签约合同" c ON c."定金编号" = d.deposit_no WHERE d.status = '有效'`,
    ],
  },
  {
    rule: 3,
    name: "counts heroes by the rows of their powers",
    task: "kdd-demo/task_261",
    question: "How many superheroes are taller than 190cm and have at least one power?",
    steps: [profile("superhero"), profile("hero_power")],
    submit: [
      "SELECT count(s.id) AS heroes FROM superhero AS s INNER JOIN hero_power AS hp ON s.id = hp.hero_id WHERE s.height_cm > 190",
    ],
  },
  // 4: previews
  {
    rule: 4,
    name: "submits as many rows as the tool had shown",
    task: "kdd-demo/task_269",
    question: "List the names of all superheroes.",
    steps: [profile("superhero"), probe("SELECT superhero_name FROM superhero ORDER BY superhero_name")],
    submit: ["SELECT superhero_name FROM superhero ORDER BY superhero_name LIMIT 200"],
  },
  {
    rule: 4,
    name: "copies the limit of its own peek",
    task: "kdd-demo/task_89",
    question: "Give the name and date of every race held in Monaco or named after it.",
    steps: [profile("races"), peek(20, "SELECT name, date FROM races WHERE name LIKE 'Monaco%' ORDER BY date")],
    submit: ["SELECT name, date FROM races WHERE name LIKE 'Monaco%' ORDER BY date LIMIT 20"],
  },
  {
    rule: 4,
    name: "takes a cut list of distinct values for all of them",
    task: "demo/task_08_alaska_landings",
    question: "Name all cities that have an airport.",
    steps: [profile("airports"), values("airports", "city", { limit: 50 })],
    submit: ["SELECT DISTINCT city FROM airports ORDER BY city LIMIT 50"],
  },
  {
    rule: 4,
    name: "types the shown rows in",
    task: "demo/task_09_damaging_departures",
    question: "List all airports of the table.",
    steps: [profile("strike"), peek(6, "SELECT name FROM airport ORDER BY name")],
    submit: [
      "SELECT * FROM (VALUES ('ATLANTA INTL'), ('ATLANTIC CITY INTL'), ('AUSTIN-BERGSTROM INTL'), ('BALTIMORE WASH INTL'), ('BARKSDALE AIR FORCE BASE ARPT'), ('CHARLESTON AFB/INTL ARPT')) AS shown(name)",
    ],
  },
  {
    rule: 4,
    name: "limits by a row number to what was shown",
    task: "demo/task_05_strike_costs",
    question: "Which strikes happened at night?",
    steps: [
      profile("strikes"),
      peek(25, "SELECT strike_id FROM strikes WHERE time_of_day = 'Night' ORDER BY strike_id"),
    ],
    submit: [
      "SELECT strike_id FROM strikes WHERE time_of_day = 'Night' QUALIFY row_number() OVER (ORDER BY strike_id) <= 25",
    ],
  },
  {
    rule: 4,
    name: "hands in cells with the mark of a cut text",
    task: "kdd-demo/task_303",
    question: "What are the pages of the circuits in Spain?",
    steps: [profile("circuits")],
    submit: [
      "SELECT substr(url, 1, 30) || '… (+' || (length(url) - 30) || ' characters)' FROM circuits WHERE country = 'Spain'",
    ],
  },
  // 5: limits
  {
    rule: 5,
    name: "shows only three of the penguins",
    task: "demo/task_06_penguins_without_sex",
    steps: [profile("penguins")],
    submit: [
      `SELECT "Species", "Flipper Length (mm)", "Body Mass (g)" FROM penguins WHERE "Island" = 'Biscoe' AND ("Sex" IS NULL OR "Sex" = '.') LIMIT 3`,
    ],
  },
  {
    rule: 5,
    name: "averages a limited subquery",
    task: "kdd-demo/task_67",
    steps: [profile("superhero"), profile("gender")],
    submit: [
      "SELECT avg(weight_kg) FROM (SELECT weight_kg FROM superhero s JOIN gender g ON g.id = s.gender_id WHERE g.gender = 'Female' LIMIT 100)",
    ],
  },
  {
    rule: 5,
    name: "fetches the first rows only",
    task: "kdd-demo/task_269",
    steps: [profile("superhero"), profile("hero_power"), profile("superpower")],
    submit: [
      "SELECT superhero_name FROM superhero WHERE id IN (SELECT hero_id FROM hero_power WHERE power_id IN (SELECT id FROM superpower WHERE power_name = 'Death Touch')) ORDER BY superhero_name FETCH FIRST 5 ROWS ONLY",
    ],
  },
  {
    rule: 5,
    name: "limits a CTE in percent",
    task: "demo/task_08_alaska_landings",
    steps: [profile("flights"), profile("airports")],
    submit: [
      "WITH part AS (SELECT * FROM flights LIMIT 90%) SELECT sum(count) FROM part WHERE destination IN (SELECT iata FROM airports WHERE state = 'AK')",
    ],
  },
  {
    rule: 5,
    name: "skips rows with an offset and a limit",
    task: "kdd-demo/task_64",
    steps: [profile("superhero"), profile("hero_power"), profile("superpower")],
    submit: [
      "SELECT p.power_name FROM superhero s JOIN hero_power h ON s.id = h.hero_id JOIN superpower p ON p.id = h.power_id WHERE s.superhero_name = '3-D Man' ORDER BY 1 LIMIT 2 OFFSET 1",
    ],
  },
  {
    rule: 5,
    name: "limits one branch of a union",
    task: "kdd-demo/task_75",
    question: "Which surnames do British and Finnish drivers have?",
    steps: [profile("drivers")],
    submit: [
      "(SELECT DISTINCT surname FROM drivers WHERE nationality = 'British' ORDER BY surname LIMIT 40) UNION SELECT surname FROM drivers WHERE nationality = 'Finnish'",
    ],
  },
  // 6: not reproducible
  {
    rule: 6,
    name: "takes some rows of many without an order",
    task: "kdd-demo/task_67",
    question: "Name five female superheroes.",
    steps: [profile("superhero"), profile("gender")],
    submit: ["SELECT superhero_name FROM superhero WHERE gender_id = 2 LIMIT 5"],
  },
  {
    rule: 6,
    name: "takes whatever name comes first in each group",
    task: "kdd-demo/task_74",
    question: "Give for each eye colour the name of its tallest superhero.",
    steps: [profile("superhero"), profile("colour")],
    submit: [
      "SELECT c.colour, first(s.superhero_name) AS hero, max(s.height_cm) FROM superhero s JOIN colour c ON c.id = s.eye_colour_id GROUP BY c.colour",
    ],
  },
  {
    rule: 6,
    name: "takes any value beside a maximum",
    task: "demo/task_05_strike_costs",
    question: "Which species caused the most expensive strike at each airport?",
    steps: [profile("strikes")],
    submit: ["SELECT airport, any_value(species), max(total_cost) FROM strikes GROUP BY airport"],
  },
  {
    rule: 6,
    name: "keeps one row for each key without saying which",
    task: "kdd-demo/task_75",
    question: "For each driver give the surname and the time of the first qualifying session of their best race.",
    steps: [profile("qualifying"), profile("drivers")],
    submit: [
      "SELECT DISTINCT ON (d.driverId) d.surname, q.q1 FROM drivers d JOIN qualifying q ON q.driverId = d.driverId",
    ],
  },
  {
    rule: 6,
    name: "numbers rows without an order and takes the first",
    task: "kdd-demo/task_303",
    question: "Which circuit hosted the European Grand Prix most recently?",
    steps: [profile("races"), profile("circuits")],
    submit: [
      "SELECT name FROM (SELECT c.name, row_number() OVER () AS n FROM races r JOIN circuits c ON c.circuitId = r.circuitId WHERE r.name = 'European Grand Prix') WHERE n = 1",
    ],
  },
  {
    rule: 6,
    name: "was made from data that have changed since",
    task: "demo/task_01_snow_days",
    question: "How many days of sun were there in 2012?",
    steps: [profile("seattle_weather")],
    submit: ["SELECT count(*) FROM seattle_weather WHERE weather = 'sun' AND year(date) = 2012"],
    edit: { file: "csv/seattle-weather.csv", from: ",sun\n", to: ",rain\n" },
  },
  // 7: empty sources
  {
    rule: 7,
    name: "mistypes the year",
    task: "kdd-demo/task_89",
    steps: [profile("results"), profile("races")],
    submit: [
      "SELECT r.time FROM results r JOIN races g ON g.raceId = r.raceId WHERE g.year = 208 AND g.name = 'Chinese Grand Prix' AND r.positionOrder = 2",
    ],
  },
  {
    rule: 7,
    name: "takes the question's words for a name",
    task: "kdd-demo/task_305",
    steps: [profile("results"), profile("races")],
    submit: [
      "SELECT max(fastestLapSpeed) FROM results WHERE raceId IN (SELECT raceId FROM races WHERE name = '2009 Spanish Grand Prix')",
    ],
  },
  {
    rule: 7,
    name: "filters by a state's name where the column has its code",
    task: "demo/task_08_alaska_landings",
    steps: [profile("flights"), profile("airports")],
    submit: ["SELECT sum(f.count) FROM flights f JOIN airports a ON a.iata = f.destination WHERE a.state = 'Alaska'"],
  },
  {
    rule: 7,
    name: "writes the bounds of a range the wrong way round",
    task: "demo/task_07_deposits_in_march",
    steps: [profile("定金台账")],
    submit: [
      "SELECT count(*) FROM 定金台账 WHERE 部门 = '成都三部' AND 状态 = '有效' AND 收款日期 BETWEEN '2026-03-31' AND '2026-03-01'",
    ],
  },
  {
    rule: 7,
    name: "compares with NULL by an equals sign",
    task: "demo/task_06_penguins_without_sex",
    steps: [profile("penguins")],
    submit: [
      `SELECT "Species", "Flipper Length (mm)", "Body Mass (g)" FROM penguins WHERE "Island" = 'Biscoe' AND "Sex" = NULL`,
    ],
  },
  {
    rule: 7,
    name: "looks for the year at the wrong end of a date",
    task: "demo/task_01_snow_days",
    steps: [profile("seattle_weather")],
    submit: [
      "WITH year_days AS (SELECT * FROM seattle_weather WHERE CAST(date AS VARCHAR) LIKE '%/2015') SELECT count(*) FROM year_days WHERE weather = 'snow'",
    ],
  },
  {
    rule: 7,
    name: "counts under a condition that no row meets",
    task: "demo/task_05_strike_costs",
    question: "What share of the strikes, in percent, happened above 250 knots?",
    steps: [profile("strikes")],
    submit: ["SELECT 100.0 * sum(CASE WHEN speed_knots > 2500 THEN 1 ELSE 0 END) / count(*) FROM strikes"],
  },
  // 8: truncated basis
  {
    rule: 8,
    name: "saw both tables only in part",
    task: "kdd-demo/task_305",
    steps: [probe("SELECT * FROM results"), peek(5, "SELECT * FROM races")],
    submit: [
      "SELECT max(r.fastestLapSpeed) FROM results r JOIN races g ON g.raceId = r.raceId WHERE g.year = 2009 AND g.name = 'Spanish Grand Prix'",
    ],
  },
  {
    rule: 8,
    name: "had only a failed query on a table",
    task: "kdd-demo/task_89",
    steps: [profile("races"), probe("SELECT raceId, positionOrder, finish_time FROM results LIMIT 5")],
    submit: [
      "SELECT time FROM results WHERE positionOrder = 2 AND raceId = (SELECT raceId FROM races WHERE year = 2008 AND name = 'Chinese Grand Prix')",
    ],
  },
  {
    rule: 8,
    name: "read only the first page of the handbook",
    task: "demo/task_12_heat_spells",
    steps: [profile("new_york_weather"), read("doc/weather-desk-handbook.md")],
    tools: { max_result_characters: 1500 },
    submit: [
      "SELECT min(date) AS first_day, count(*) AS days, max(temp_max) FROM (SELECT date, temp_max, date - INTERVAL (row_number() OVER (ORDER BY date)) DAY AS run FROM new_york_weather WHERE temp_max >= 32.2) GROUP BY run HAVING count(*) >= 3",
    ],
  },
  {
    rule: 8,
    name: "asked for a chapter of the notes that is not there and went on without",
    task: "demo/task_11_jobs_lost",
    steps: [profile("us_employment"), read("doc/downturn-notes.md", { heading: "The definition of the loss" })],
    submit: [
      "SELECT 'construction' AS sector, round(100.0 * (max(construction) - min(construction)) / max(construction), 2) AS loss FROM us_employment",
    ],
  },
  {
    rule: 8,
    name: "saw the first of the values of a table's column and nothing else of it",
    task: "kdd-demo/task_75",
    steps: [profile("qualifying"), values("drivers", "surname"), values("drivers", "driverId", { limit: 10 })],
    submit: [
      "SELECT d.surname FROM qualifying q JOIN drivers d ON d.driverId = q.driverId WHERE q.raceId = 19 ORDER BY q.q2 LIMIT 1",
    ],
  },
  {
    rule: 8,
    name: "saw a profile that was cut before the columns that it uses",
    task: "kdd-demo/task_305",
    steps: [profile("races"), profile("results")],
    tools: { max_result_characters: 900 },
    submit: [
      "SELECT fastestLapSpeed FROM results NATURAL JOIN (SELECT raceId FROM races WHERE year = 2009 AND name = 'Spanish Grand Prix') WHERE fastestLapSpeed IS NOT NULL ORDER BY 1 DESC LIMIT 1",
    ],
  },
];
