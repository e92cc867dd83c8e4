import { field, look, peek, probe, profile, read, relationships, type Script, search, values } from "./script.js";

/** Right answers by SQL of all kinds, after looking in all kinds of ways: no red finding may fall on one. */
export const CORRECT: readonly Script[] = [
  {
    name: "joins over a bridge and filters both ends",
    task: "kdd-demo/task_261",
    steps: [profile("superhero"), profile("superpower"), profile("hero_power")],
    submit: [
      "SELECT COUNT(T1.id) FROM superhero AS T1 INNER JOIN hero_power AS T2 ON T1.id = T2.hero_id INNER JOIN superpower AS T3 ON T2.power_id = T3.id WHERE T3.power_name = 'Super Strength' AND T1.height_cm > 200",
    ],
  },
  {
    name: "uses nested INs and knowledge.md alone",
    task: "kdd-demo/task_261",
    steps: [search("super strength height")],
    submit: [
      "SELECT count(*) FROM superhero WHERE height_cm > 200 AND id IN (SELECT hero_id FROM hero_power WHERE power_id IN (SELECT id FROM superpower WHERE power_name = 'Super Strength'))",
    ],
  },
  {
    name: "compares without case where the question's case is not the data's",
    task: "kdd-demo/task_269",
    steps: [values("superpower", "power_name", { contains: "death" }), relationships()],
    submit: [
      "SELECT superhero_name FROM superhero h WHERE EXISTS (SELECT 1 FROM hero_power hp JOIN superpower p ON p.id = hp.power_id WHERE hp.hero_id = h.id AND lower(p.power_name) = 'death touch')",
    ],
  },
  {
    name: "lists the powers of one hero with comma joins",
    task: "kdd-demo/task_64",
    steps: [profile("superhero"), profile("superpower"), relationships("hero_power")],
    submit: [
      "SELECT p.power_name FROM superhero s, hero_power hp, superpower p WHERE s.id = hp.hero_id AND hp.power_id = p.id AND '3-D Man' = s.superhero_name",
    ],
  },
  {
    name: "averages over a lookup by LEFT JOIN",
    task: "kdd-demo/task_67",
    steps: [profile("superhero"), values("gender", "gender")],
    submit: [
      "SELECT avg(s.weight_kg) FROM superhero s LEFT JOIN gender g ON s.gender_id = g.id WHERE g.gender = 'Female'",
    ],
  },
  {
    name: "looks a colour up by a scalar subquery",
    task: "kdd-demo/task_74",
    steps: [
      probe("SELECT id, full_name, eye_colour_id FROM superhero WHERE full_name = 'Karen Beecher-Duncan'"),
      profile("colour"),
    ],
    submit: [
      "SELECT colour FROM colour WHERE id = (SELECT eye_colour_id FROM superhero WHERE full_name = 'Karen Beecher-Duncan')",
    ],
  },
  {
    name: "takes a percentage by FILTER",
    task: "kdd-demo/task_303",
    steps: [profile("races"), profile("circuits")],
    submit: [
      "SELECT 100.0 * count(*) FILTER (WHERE c.country = 'Germany') / count(*) FROM races r JOIN circuits c USING (circuitId) WHERE r.name = 'European Grand Prix'",
    ],
  },
  {
    name: "takes a percentage by CASE, from the side that is looked up",
    task: "kdd-demo/task_303",
    steps: [profile("races"), profile("circuits")],
    submit: [
      "SELECT CAST(SUM(CASE WHEN c.country = 'Germany' THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*) FROM circuits c INNER JOIN races r ON r.circuitId = c.circuitId WHERE r.name = 'European Grand Prix'",
    ],
  },
  {
    name: "finds a maximum through a CTE",
    task: "kdd-demo/task_305",
    steps: [profile("results"), profile("races")],
    submit: [
      "WITH race AS (SELECT raceId FROM races WHERE year = 2009 AND name = 'Spanish Grand Prix') SELECT max(fastestLapSpeed) AS speed FROM results NATURAL JOIN race",
    ],
  },
  {
    name: "orders and takes the first where the question asks for the best",
    task: "kdd-demo/task_75",
    steps: [profile("qualifying"), profile("drivers")],
    submit: [
      "SELECT d.surname FROM qualifying AS q JOIN drivers AS d ON q.driverId = d.driverId WHERE q.raceId = 19 AND q.q2 IS NOT NULL ORDER BY q.q2 ASC LIMIT 1",
    ],
  },
  {
    name: "takes the best by QUALIFY with rank()",
    task: "kdd-demo/task_75",
    steps: [profile("qualifying"), profile("drivers")],
    submit: [
      "SELECT surname FROM drivers JOIN qualifying USING (driverId) WHERE raceId = 19 QUALIFY rank() OVER (ORDER BY q2) = 1",
    ],
  },
  {
    name: "filters by a word of the question and a rank",
    task: "kdd-demo/task_89",
    steps: [profile("results"), probe("SELECT raceId, name FROM races WHERE year = 2008 ORDER BY raceId")],
    submit: [
      "SELECT results.time FROM results INNER JOIN races ON races.raceId = results.raceId WHERE races.year = 2008 AND races.name LIKE '%Chinese%' AND results.position = 2",
    ],
  },
  {
    name: "counts to zero, as the data have it",
    task: "demo/task_01_snow_days",
    steps: [look],
    submit: ["SELECT count(*) AS days FROM seattle_weather WHERE weather = 'snow' AND extract(year FROM date) = 2015"],
  },
  {
    name: "averages a column with spaces in its name",
    task: "demo/task_02_gentoo_mass",
    steps: [],
    submit: [`SELECT round(avg("Body Mass (g)"), 2) FROM penguins WHERE "Species" = 'Gentoo'`],
  },
  {
    name: "finds the month of a minimum",
    task: "demo/task_03_construction_low",
    steps: [field("us_employment", "construction")],
    submit: ["SELECT month FROM us_employment WHERE construction = (SELECT min(construction) FROM us_employment)"],
  },
  {
    name: "answers in Chinese names with a window",
    task: "demo/task_04_hottest_day",
    steps: [profile("每日天气")],
    submit: [
      "SELECT 日期, 最高气温 FROM (SELECT 日期, 最高气温, rank() OVER (ORDER BY 最高气温 DESC) AS r FROM 每日天气 WHERE 城市 = '纽约' AND year(日期) = 2014) WHERE r = 1",
    ],
  },
  {
    name: "sums within a year given as a range",
    task: "demo/task_05_strike_costs",
    steps: [values("strikes", "operator", { contains: "american" })],
    submit: [
      "SELECT sum(total_cost) FROM strikes WHERE operator = 'AMERICAN AIRLINES' AND flight_date BETWEEN '1999-01-01' AND '1999-12-31'",
    ],
  },
  {
    name: "tests in caution for every way to write a missing value",
    task: "demo/task_06_penguins_without_sex",
    steps: [values("penguins", "Sex")],
    submit: [
      `SELECT "Species", "Flipper Length (mm)", "Body Mass (g)" FROM penguins WHERE "Island" = 'Biscoe' AND ("Sex" IS NULL OR "Sex" = '' OR "Sex" IN ('.', 'NA', 'unknown') OR "Sex" NOT IN ('MALE', 'FEMALE'))`,
    ],
  },
  {
    name: "counts by status and month from knowledge.md alone",
    task: "demo/task_07_deposits_in_march",
    steps: [],
    submit: [
      "SELECT count(*) AS 有效定金笔数 FROM 定金台账 WHERE 部门 = '成都三部' AND 状态 = '有效' AND strftime(收款日期, '%Y-%m') = '2026-03'",
    ],
  },
  {
    name: "joins by columns that only knowledge.md connects",
    task: "demo/task_08_alaska_landings",
    steps: [profile("flights"), profile("airports")],
    submit: ["SELECT sum(f.count) FROM flights f JOIN airports a ON f.destination = a.iata WHERE a.state = 'AK'"],
  },
  {
    name: "sums the many side of a join written the other way round",
    task: "demo/task_08_alaska_landings",
    steps: [profile("flights"), profile("airports")],
    submit: [`SELECT SUM("count") FROM "AIRPORTS" INNER JOIN "Flights" ON "IATA" = "Destination" WHERE "State" = 'AK'`],
  },
  {
    name: "keeps all that share the first place",
    task: "demo/task_09_damaging_departures",
    steps: [profile("strike"), profile("airport")],
    submit: [
      `WITH damaging AS (
         SELECT a.name, count(*) AS strikes FROM strike s JOIN airport a USING (airport_id)
         WHERE s.phase IN ('Take-off run', 'Climb') AND s.damage NOT IN ('None', 'B', 'C') AND s.flight_date >= DATE '1998-01-01' AND s.flight_date < DATE '1999-01-01'
         GROUP BY a.name)
       SELECT name, strikes FROM damaging WHERE strikes = (SELECT max(strikes) FROM damaging) ORDER BY name`,
    ],
  },
  {
    name: "computes a rate over CTEs, a LEFT JOIN and a union",
    task: "demo/task_10_deposit_conversion",
    steps: [profile("deposits"), profile("departments"), profile("签约合同")],
    submit: [
      `WITH valid AS (SELECT d.deposit_no, p.zone_name, d.paid_on FROM deposits d JOIN departments p ON p.dept_id = d.dept_id WHERE d.status = '有效' AND d.paid_on BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'),
       converted AS (SELECT DISTINCT v.deposit_no FROM valid v JOIN "签约合同" c ON c."定金编号" = v.deposit_no AND c."合同类型" = '新签' AND c."签约日期" - v.paid_on <= 30),
       rates AS (SELECT v.zone_name, round(100.0 * count(c.deposit_no) / count(*), 2) AS rate FROM valid v LEFT JOIN converted c USING (deposit_no) GROUP BY v.zone_name)
       (SELECT zone_name, rate FROM rates WHERE rate = (SELECT max(rate) FROM rates)) UNION ALL (SELECT zone_name, rate FROM rates WHERE rate = (SELECT min(rate) FROM rates))`,
    ],
  },
  {
    name: "turns columns into rows and looks for the first month after a trough",
    task: "demo/task_11_jobs_lost",
    steps: [profile("us_employment"), read("doc/downturn-notes.md")],
    submit: [
      `WITH long AS (
         SELECT month, 'construction' AS sector, construction AS jobs FROM us_employment
         UNION ALL SELECT month, 'manufacturing', manufacturing FROM us_employment
         UNION ALL SELECT month, 'information', information FROM us_employment
         UNION ALL SELECT month, 'mining_and_logging', mining_and_logging FROM us_employment
         UNION ALL SELECT month, 'professional_and_business_services', professional_and_business_services FROM us_employment
         UNION ALL SELECT month, 'government', government FROM us_employment),
       base AS (SELECT sector, jobs AS level FROM long WHERE month = DATE '2007-12-01'),
       trough AS (SELECT sector, arg_min(month, (jobs, month)) AS at, min(jobs) AS low FROM long WHERE month BETWEEN DATE '2008-01-01' AND DATE '2011-12-31' GROUP BY sector),
       back AS (SELECT l.sector, min(l.month) AS back_in FROM long l JOIN trough t USING (sector) JOIN base b USING (sector) WHERE l.month > t.at AND l.jobs >= b.level GROUP BY l.sector)
       SELECT b.sector, round(100.0 * (b.level - t.low) / b.level, 2) AS loss_percent, k.back_in
       FROM base b JOIN trough t USING (sector) LEFT JOIN back k USING (sector) ORDER BY loss_percent DESC LIMIT 5`,
    ],
  },
  {
    name: "finds runs of days with windows, after reading one section of the handbook",
    task: "demo/task_12_heat_spells",
    steps: [
      profile("new_york_weather"),
      read("doc/weather-desk-handbook.md", { heading: "5. Heat spells" }),
      read("doc/weather-desk-handbook.md", { heading: "3. Days" }),
    ],
    submit: [
      `WITH days AS (SELECT date, temp_max, temp_max >= 32.2 AS hot FROM new_york_weather),
       marked AS (SELECT *, hot OR (temp_max >= 29.4 AND lag(hot) OVER (ORDER BY date) AND lead(hot) OVER (ORDER BY date)) AS inside FROM days),
       runs AS (SELECT *, date - CAST(row_number() OVER (ORDER BY date) AS INTEGER) AS run FROM marked WHERE inside)
       SELECT min(date) AS first_day, count(*) AS days, max(temp_max) AS highest FROM runs GROUP BY run HAVING count(*) FILTER (WHERE hot) >= 3 ORDER BY 1`,
    ],
  },
  {
    name: "finds that a value of the question is not in the data: the answer is zero",
    task: "demo/task_08_alaska_landings",
    question: "How many airports of the table are in the state of Delaware (DE)?",
    steps: [values("airports", "state")],
    submit: ["SELECT count(*) FROM airports WHERE state = 'DE'"],
  },
  {
    name: "finds no hero that is so tall: the answer is zero",
    task: "kdd-demo/task_261",
    question: "How many superheroes are taller than 40000cm?",
    steps: [field("superhero", "height_cm")],
    submit: ["SELECT count(*) FROM superhero WHERE height_cm > 40000"],
  },
  {
    name: "finds that nothing is missing: an empty list",
    task: "demo/task_09_damaging_departures",
    question: "Which airports have no state?",
    steps: [profile("airport")],
    submit: ["SELECT name FROM airport WHERE state IS NULL"],
  },
  {
    name: "counts distinct heroes behind a join that repeats them",
    task: "kdd-demo/task_261",
    question: "How many superheroes have at least one power?",
    steps: [profile("superhero"), profile("hero_power")],
    submit: ["SELECT count(DISTINCT s.id) FROM superhero s JOIN hero_power h ON h.hero_id = s.id"],
  },
  {
    name: "counts powers per hero and then the heroes",
    task: "kdd-demo/task_261",
    question: "How many superheroes have more than 20 powers?",
    steps: [profile("superhero"), profile("hero_power")],
    submit: [
      "SELECT count(*) FROM (SELECT s.superhero_name, h.hero_id FROM superhero s JOIN hero_power h ON h.hero_id = s.id GROUP BY s.superhero_name, h.hero_id HAVING count(*) > 20)",
    ],
  },
  {
    name: "averages heights per power, each hero once in each",
    task: "kdd-demo/task_261",
    question: "What is the average height of the superheroes with each power?",
    steps: [profile("superhero"), profile("hero_power"), profile("superpower")],
    submit: [
      "SELECT p.power_name, avg(s.height_cm) FROM superhero s JOIN hero_power h ON s.id = h.hero_id JOIN superpower p ON p.id = h.power_id GROUP BY p.power_name",
    ],
  },
  {
    name: "takes extremes behind a join that repeats rows",
    task: "kdd-demo/task_64",
    question: "How tall is the tallest superhero that has a power, and how tall the smallest?",
    steps: [profile("superhero"), profile("hero_power")],
    submit: [
      "SELECT max(height_cm), min(height_cm) FROM superhero JOIN hero_power ON superhero.id = hero_power.hero_id",
    ],
  },
  {
    name: "sums contracts per deposit before it joins",
    task: "demo/task_10_deposit_conversion",
    question: "每个战区的定金总额和对应合同的总额各是多少？",
    steps: [profile("deposits"), profile("departments"), profile("签约合同")],
    submit: [
      `SELECT p.zone_name, sum(d.amount) AS 定金, sum(c.total) AS 合同 FROM deposits d JOIN departments p USING (dept_id) LEFT JOIN (SELECT "定金编号" AS no, sum("合同金额") AS total FROM "签约合同" GROUP BY 1) c ON c.no = d.deposit_no GROUP BY ALL`,
    ],
  },
  {
    name: "weights one table's numbers by another's",
    task: "demo/task_08_alaska_landings",
    question: "What is the average latitude of landings, weighted by the number of flights?",
    steps: [profile("flights"), profile("airports")],
    submit: [
      "SELECT sum(f.count * a.latitude) / sum(f.count) FROM flights f JOIN airports a ON a.iata = f.destination",
    ],
  },
  {
    name: "leaves rows out by NOT EXISTS with a condition that nothing meets",
    task: "demo/task_10_deposit_conversion",
    question: "有多少笔定金没有任何合同？",
    steps: [profile("deposits"), profile("签约合同")],
    submit: [
      `SELECT count(*) FROM deposits d WHERE NOT EXISTS (SELECT 1 FROM "签约合同" c WHERE c."定金编号" = d.deposit_no AND c."合同类型" <> '作废')`,
    ],
  },
  {
    name: "subtracts one list from another",
    task: "kdd-demo/task_75",
    question: "Which nationalities have drivers that never qualified?",
    steps: [profile("drivers"), profile("qualifying")],
    submit: [
      "SELECT nationality FROM drivers EXCEPT SELECT d.nationality FROM drivers d SEMI JOIN qualifying q ON q.driverId = d.driverId WHERE d.dob < DATE '1900-01-01'",
    ],
  },
  {
    name: "compares a table with itself",
    task: "demo/task_01_snow_days",
    question: "On how many days was it at least 10 degrees warmer than on the day before?",
    steps: [profile("seattle_weather")],
    submit: [
      "SELECT count(*) FROM seattle_weather today JOIN seattle_weather before ON today.date = before.date + INTERVAL 1 DAY WHERE today.temp_max - before.temp_max >= 10.0",
    ],
  },
  {
    name: "counts pairs of a table's rows",
    task: "demo/task_09_damaging_departures",
    question: "How many pairs of airports share a state?",
    steps: [profile("airport")],
    submit: ["SELECT count(*) FROM airport a JOIN airport b ON a.state = b.state AND a.airport_id < b.airport_id"],
  },
  {
    name: "compares each group with a correlated average",
    task: "demo/task_02_gentoo_mass",
    question: "How many penguins are heavier than the average of their species?",
    steps: [profile("penguins")],
    submit: [
      `SELECT count(*) FROM penguins p WHERE p."Body Mass (g)" > (SELECT avg(q."Body Mass (g)") FROM penguins q WHERE q."Species" = p."Species")`,
    ],
  },
  {
    name: "counts days by a generated calendar",
    task: "demo/task_12_heat_spells",
    question: "How many days did New York have in each month of 2013 with at least 25.0 degrees? Give every month.",
    steps: [profile("new_york_weather")],
    submit: [
      "WITH RECURSIVE months(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM months WHERE m < 12) SELECT m, count(w.date) FROM months LEFT JOIN new_york_weather w ON month(w.date) = m AND year(w.date) = 2013 AND w.temp_max >= 25.00 GROUP BY m ORDER BY m",
    ],
  },
  {
    name: "maps codes by typed values",
    task: "demo/task_05_strike_costs",
    question: "How many strikes happened on the ground, on departure and on arrival?",
    steps: [values("strikes", "phase")],
    submit: [
      "SELECT g.part, count(*) FROM strikes s JOIN (VALUES ('Parked', 'ground'), ('Taxi', 'ground'), ('Take-off run', 'departure'), ('Climb', 'departure'), ('Descent', 'arrival'), ('Approach', 'arrival'), ('Landing Roll', 'arrival')) AS g(phase, part) ON g.phase = s.phase GROUP BY g.part",
    ],
  },
  {
    name: "matches patterns on both sides of a dash",
    task: "demo/task_05_strike_costs",
    question: "How many strikes did aircraft of the family B-737 have?",
    steps: [values("strikes", "aircraft", { contains: "737" })],
    submit: ["SELECT count(*) FROM strikes WHERE regexp_matches(aircraft, '^B-737(-|$)') AND aircraft NOT LIKE 'C-%'"],
  },
  {
    name: "goes on after a batch of which one query failed",
    task: "kdd-demo/task_305",
    question: "How many races were there in 2009?",
    steps: [probe("SELECT year, count(*) FROM races GROUP BY year ORDER BY year", "SELECT season FROM races")],
    submit: ["SELECT count(*) FROM races WHERE year = 2009"],
  },
  {
    name: "peeks at five rows, profiles, and finds five rows to be the answer",
    task: "demo/task_06_penguins_without_sex",
    steps: [peek(5, "SELECT * FROM penguins"), profile("penguins")],
    submit: [
      `SELECT "Species", "Flipper Length (mm)", "Body Mass (g)" FROM penguins WHERE "Island" = 'Biscoe' AND coalesce("Sex", '.') = '.'`,
    ],
  },
  {
    name: "lists as many rows as the question names, which a peek had cut at too",
    task: "kdd-demo/task_303",
    question: "Which five circuits lie furthest north? Name them with their latitude.",
    steps: [profile("circuits"), peek(5, "SELECT name, lat FROM circuits ORDER BY lat DESC")],
    submit: ["SELECT name, lat FROM circuits ORDER BY lat DESC LIMIT 5"],
  },
  {
    name: "reads a long document page by page",
    task: "demo/task_11_jobs_lost",
    question: "How large was the share of jobs lost in construction in the downturn after 2007, in percent?",
    steps: [
      profile("us_employment"),
      read("doc/downturn-notes.md"),
      read("doc/downturn-notes.md", { start_line: 15 }),
      read("doc/downturn-notes.md", { start_line: 30 }),
    ],
    tools: { max_result_characters: 6000 },
    submit: [
      "SELECT 100.0 * (b.construction - t.low) / b.construction FROM us_employment b, (SELECT min(construction) AS low FROM us_employment WHERE month BETWEEN '2008-01-01' AND '2011-12-01') t WHERE b.month = '2007-12-01'",
    ],
  },
  {
    name: "compares with a whole number above 2^53",
    task: "kdd-demo/task_305",
    question: "How many results have an id below 9007199254740993?",
    steps: [profile("results")],
    submit: ["SELECT count(*) FROM results WHERE resultId < 9007199254740993"],
  },
  {
    name: "puts values into columns by a pivot",
    task: "demo/task_02_gentoo_mass",
    question: "How many penguins of each species live on Biscoe and on Dream?",
    steps: [profile("penguins")],
    submit: [
      `SELECT * FROM (PIVOT (SELECT "Species", "Island" FROM penguins) ON "Island" IN ('Biscoe', 'Dream') USING count(*)) ORDER BY 1`,
    ],
  },
  {
    name: "takes parts of a text and negative numbers",
    task: "kdd-demo/task_303",
    question: "How many circuits south of 30 degrees south are there whose name begins with A or K?",
    steps: [profile("circuits")],
    submit: ["SELECT count(*) FROM circuits WHERE lat < -30.0 AND left(name, 1) IN ('A', 'K')"],
  },
  {
    name: "asks for the latest race of each name by DISTINCT ON with an order",
    task: "kdd-demo/task_89",
    question: "When was each race last held?",
    steps: [profile("races")],
    submit: ["SELECT DISTINCT ON (name) name, date FROM races ORDER BY name, date DESC"],
  },
  {
    name: "searches a name in two columns",
    task: "kdd-demo/task_64",
    question: "Which superheroes are called Batman, by either of their names?",
    steps: [profile("superhero")],
    submit: [
      "SELECT superhero_name FROM superhero WHERE superhero_name ILIKE '%batman%' OR full_name ILIKE '%batman%' ORDER BY ALL",
    ],
  },
  {
    name: "reads a running total at its end",
    task: "demo/task_03_construction_low",
    question: "By how many jobs did nonfarm employment change over all months of 2010, month by month added up?",
    steps: [field("us_employment", "nonfarm_change"), field("us_employment", "month")],
    submit: [
      "SELECT month, sum(nonfarm_change) OVER (ORDER BY month) AS total FROM us_employment WHERE year(month) = 2010 ORDER BY month",
    ],
  },
  {
    name: "joins two tables that refer to the same third thing",
    task: "kdd-demo/task_305",
    question: "How many points were there in all in the races of 2009 at circuit 4?",
    steps: [
      profile("results"),
      profile("races"),
      probe("SELECT count(DISTINCT raceId) FROM results WHERE raceId IN (SELECT raceId FROM races)"),
    ],
    submit: [
      "SELECT sum(points) FROM results WHERE raceId = ANY (SELECT raceId FROM races WHERE year = 2009 AND circuitId = 4)",
    ],
  },
];
