import { type Fault, field, look, peek, probe, profile, read, search, values } from "./script.js";

/** Faulty submissions that were written before the rules and on which no rule was tuned. */
export const HELD_OUT_FAULTS: readonly Fault[] = [
  {
    rule: 1,
    name: "uses an unseen table in a correlated EXISTS",
    task: "kdd-demo/task_89",
    question: "How many races of 2008 had a retirement?",
    steps: [profile("races")],
    submit: [
      "SELECT count(*) FROM races g WHERE g.year = 2008 AND EXISTS (SELECT 1 FROM results r WHERE r.raceId = g.raceId AND r.positionText = 'R')",
    ],
  },
  {
    rule: 1,
    name: "filters by a column when only another one of the table was looked at",
    task: "kdd-demo/task_75",
    question: "What are the surnames of the Finnish drivers?",
    steps: [search("surname of drivers"), field("drivers", "surname")],
    submit: ["SELECT surname FROM drivers WHERE nationality = 'Finnish'"],
  },
  {
    rule: 1,
    name: "adds a branch that reads a table which was never looked at",
    task: "kdd-demo/task_303",
    question: "Which names do races and circuits have?",
    steps: [look, values("races", "name")],
    submit: ["SELECT DISTINCT name FROM races UNION SELECT name FROM circuits"],
  },
  {
    rule: 2,
    name: "abbreviates a value",
    task: "kdd-demo/task_67",
    steps: [profile("superhero"), probe("SELECT count(*) FROM gender")],
    submit: [
      "SELECT avg(s.weight_kg) FROM superhero s LEFT JOIN gender g ON g.id = s.gender_id WHERE upper(g.gender) = 'FEM'",
    ],
  },
  {
    rule: 2,
    name: "excludes a value that is written otherwise",
    task: "kdd-demo/task_74",
    question: "Which eye colours do superheroes have, those without one left out?",
    steps: [profile("superhero"), profile("colour")],
    submit: [
      "SELECT DISTINCT c.colour FROM superhero s JOIN colour c ON c.id = s.eye_colour_id WHERE c.colour NOT IN ('No Color')",
    ],
  },
  {
    rule: 2,
    name: "counts a kind of contract that there is not, in a CASE",
    task: "demo/task_10_deposit_conversion",
    question: "第一次签约的合同占多少百分比？",
    steps: [profile("签约合同")],
    submit: [
      `WITH kinds AS (SELECT trim("合同类型") AS kind FROM "签约合同") SELECT 100.0 * sum(CASE kind WHEN '首签' THEN 1 ELSE 0 END) / count(*) FROM kinds`,
    ],
  },
  {
    rule: 3,
    name: "multiplies in a CTE and averages outside of it",
    task: "kdd-demo/task_64",
    question: "What is the average height of superheroes with powers?",
    steps: [profile("superhero"), profile("hero_power")],
    submit: [
      "WITH powered AS (SELECT s.superhero_name, s.height_cm, h.power_id FROM superhero s JOIN hero_power h ON h.hero_id = s.id) SELECT avg(height_cm) FROM powered",
    ],
  },
  {
    rule: 3,
    name: "forgets the condition of a comma join",
    task: "demo/task_08_alaska_landings",
    steps: [profile("flights"), profile("airports")],
    submit: ["SELECT sum(f.count) FROM flights f, airports a WHERE a.state = 'AK'"],
  },
  {
    rule: 3,
    name: "selects heroes whose id is the id of a power",
    task: "kdd-demo/task_269",
    steps: [profile("superhero"), profile("superpower"), profile("hero_power")],
    submit: [
      "SELECT superhero_name FROM superhero WHERE id IN (SELECT power_id FROM hero_power WHERE power_id = (SELECT id FROM superpower WHERE power_name = 'Death Touch'))",
    ],
  },
  {
    rule: 4,
    name: "limits to the rows that fitted into the tool's answer",
    task: "kdd-demo/task_303",
    question: "List name and page of every circuit.",
    steps: [probe("SELECT name, url FROM circuits ORDER BY name")],
    tools: { max_result_characters: 2500 },
    submit: ["SELECT name, url FROM circuits ORDER BY name LIMIT 25"],
  },
  {
    rule: 4,
    name: "asks again for the keys that it was shown",
    task: "kdd-demo/task_89",
    question: "When were the races of the years before 1955?",
    steps: [profile("races"), peek(8, "SELECT raceId, date FROM races WHERE year < 1955 ORDER BY raceId")],
    submit: ["SELECT raceId, date FROM races WHERE raceId IN (799, 800, 801, 802, 803, 804, 805, 806) ORDER BY raceId"],
  },
  {
    rule: 4,
    name: "shortens texts with dots",
    task: "demo/task_05_strike_costs",
    question: "Which aircraft were struck in Hawaii?",
    steps: [profile("strikes")],
    submit: ["SELECT DISTINCT left(aircraft, 5) || '...' AS aircraft FROM strikes WHERE state = 'Hawaii'"],
  },
  {
    rule: 5,
    name: "limits by a computed number",
    task: "demo/task_09_damaging_departures",
    question: "Which airports are in Texas?",
    steps: [profile("airport")],
    submit: ["SELECT name FROM airport WHERE state = 'Texas' ORDER BY name LIMIT (SELECT 3)"],
  },
  {
    rule: 5,
    name: "limits the list of an IN",
    task: "kdd-demo/task_269",
    question: "What are the names of the superheroes with the power of flight?",
    steps: [profile("superhero"), profile("hero_power"), profile("superpower")],
    submit: [
      "SELECT superhero_name FROM superhero WHERE id IN (SELECT hero_id FROM hero_power h JOIN superpower p ON p.id = h.power_id WHERE p.power_name = 'Flight' LIMIT 50)",
    ],
  },
  {
    rule: 5,
    name: "answers a plain list with one row",
    task: "kdd-demo/task_64",
    steps: [profile("superhero"), profile("hero_power"), profile("superpower")],
    submit: [
      "SELECT power_name FROM superpower WHERE id IN (SELECT power_id FROM hero_power WHERE hero_id = (SELECT id FROM superhero WHERE superhero_name = '3-D Man')) LIMIT 1",
    ],
  },
  {
    rule: 6,
    name: "takes the name at a maximum that many share",
    task: "kdd-demo/task_75",
    question: "Which nationality does the driver with the most frequent qualifying position have?",
    steps: [profile("qualifying"), profile("drivers")],
    submit: [
      "SELECT arg_min(d.surname, q.position) FROM qualifying q JOIN drivers d USING (driverId) WHERE q.raceId < 40",
    ],
  },
  {
    rule: 6,
    name: "joins names into one text in no order",
    task: "kdd-demo/task_64",
    steps: [profile("superhero"), profile("hero_power"), profile("superpower")],
    submit: [
      "SELECT string_agg(p.power_name, ', ') FROM superhero s JOIN hero_power h ON s.id = h.hero_id JOIN superpower p ON p.id = h.power_id WHERE s.superhero_name = '3-D Man'",
    ],
  },
  {
    rule: 6,
    name: "was made before a value of the data was mended",
    task: "demo/task_03_construction_low",
    question: "How many jobs were there in construction in January 2006?",
    steps: [profile("us_employment")],
    submit: ["SELECT construction FROM us_employment WHERE month = '2006-01-01'"],
    edit: { file: "csv/us-employment.csv", from: "7601", to: "7610" },
  },
  {
    rule: 7,
    name: "joins a code to a name",
    task: "demo/task_08_alaska_landings",
    steps: [profile("flights"), profile("airports")],
    submit: ["SELECT sum(f.count) FROM flights f JOIN airports a ON a.name = f.destination WHERE a.state = 'AK'"],
  },
  {
    rule: 7,
    name: "writes an operator as the question does",
    task: "demo/task_05_strike_costs",
    steps: [profile("strikes")],
    submit: [
      "SELECT coalesce(sum(total_cost), 0) FROM strikes WHERE operator = 'American Airlines' AND flight_date >= DATE '1999-01-01' AND flight_date < DATE '2000-01-01'",
    ],
  },
  {
    rule: 7,
    name: "filters a group by a number that no group reaches",
    task: "kdd-demo/task_261",
    question: "Which powers do more than a hundred superheroes have?",
    steps: [profile("superpower"), profile("hero_power")],
    submit: [
      "SELECT p.power_name FROM superpower p JOIN hero_power h ON h.power_id = p.id GROUP BY p.power_name HAVING count(*) > 10000",
    ],
  },
  {
    rule: 8,
    name: "went on after a page that was not the last",
    task: "demo/task_11_jobs_lost",
    steps: [profile("us_employment"), read("doc/downturn-notes.md", { start_line: 1 })],
    tools: { max_result_characters: 1300 },
    submit: [
      "SELECT 'construction' AS sector, round(100.0 * (max(construction) - min(construction)) / max(construction), 2) FROM us_employment WHERE month >= '2007-12-01'",
    ],
  },
  {
    rule: 8,
    name: "looked at two tables in one call that was cut",
    task: "kdd-demo/task_303",
    steps: [probe("SELECT * FROM races ORDER BY raceId", "SELECT * FROM circuits ORDER BY circuitId")],
    tools: { max_result_characters: 3000 },
    submit: [
      "SELECT 100.0 * sum(CASE WHEN c.country = 'Germany' THEN 1 ELSE 0 END) / count(*) FROM races r JOIN circuits c ON c.circuitId = r.circuitId WHERE r.name = 'European Grand Prix'",
    ],
  },
  {
    rule: 8,
    name: "tried the wrong syntax twice and then submitted unseen",
    task: "kdd-demo/task_75",
    steps: [
      profile("drivers"),
      probe("SELECT min(q2) FROM qualifying WHERE raceId = '19th'"),
      probe("SELECT min_by(driverId, q2, q3, q1) FROM qualifying WHERE raceId = 19"),
    ],
    submit: [
      "SELECT surname FROM drivers WHERE driverId = (SELECT driverId FROM qualifying WHERE raceId = 19 AND q2 IS NOT NULL ORDER BY q2 LIMIT 1)",
    ],
  },
];
