import { chiSquaredTail, fisherTail, studentTwoSided } from "./distributions.js";
import { shapiroWilk } from "./shapiro-wilk.js";

/** A statistical test as common table expressions, the last of which is `name(w, p)`: statistic and p-value. */
export type TestTables = readonly string[];

/** Whether a column is normally distributed: Shapiro–Wilk. */
export function normalityTest(name: string, relation: string, column: string): TestTables {
  return shapiroWilk(name, relation, column);
}

/** D'Agostino and Pearson's test of skewness and kurtosis. */
export function omnibusTest(name: string, relation: string, column: string): TestTables {
  const skew = "(g1 * sqrt((n + 1) * (n + 3) / (6.0 * (n - 2))))";
  const b = "(3.0 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2.0) * (n + 5) * (n + 7) * (n + 9)))";
  const c2 = `(-1 + sqrt(2 * (${b} - 1)))`;
  const zs = `(1 / sqrt(0.5 * ln(${c2})) * ln(${skew} / sqrt(2 / (${c2} - 1)) + sqrt(pow(${skew} / sqrt(2 / (${c2} - 1)), 2) + 1)))`;
  const e = "(3.0 * (n - 1) / (n + 1))";
  const v = "(24.0 * n * (n - 2) * (n - 3) / (pow(n + 1, 2) * (n + 3) * (n + 5)))";
  const x = `((k + 3 - ${e}) / sqrt(${v}))`;
  const root =
    "(6.0 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * sqrt(6.0 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3))))";
  const a = `(6 + 8 / ${root} * (2 / ${root} + sqrt(1 + 4 / pow(${root}, 2))))`;
  const below = `(1 + ${x} * sqrt(2 / (${a} - 4)))`;
  const zk = `((1 - 2 / (9 * ${a}) - sign(${below}) * pow((1 - 2 / ${a}) / abs(${below}), 1 / 3.0)) / sqrt(2 / (9 * ${a})))`;
  return [
    `${name}_moments AS (SELECT count(${column}) AS n, skewness(${column}) * (count(${column}) - 2) / sqrt(count(${column}) * (count(${column}) - 1)) AS g1, kurtosis_pop(${column}) AS k FROM ${relation})`,
    `${name} AS (SELECT k2 AS w, exp(-k2 / 2) AS p FROM (SELECT pow(${zs}, 2) + pow(${zk}, 2) AS k2 FROM ${name}_moments))`,
  ];
}

/** Whether a correlation differs from none. */
export function correlationTest(name: string, relation: string, first: string, second: string): TestTables {
  const t = "r * sqrt(df / greatest(1 - r * r, 1e-300))";
  return [
    `${name}_r AS (SELECT corr(${first}, ${second}) AS r, regr_count(${first}, ${second}) - 2 AS df FROM ${relation})`,
    `${name} AS (SELECT r AS w, ${studentTwoSided(`(${t})`, "df")} AS p FROM ${name}_r)`,
  ];
}

/** Whether the means of two groups differ; `group` is a column that is 1 or 2. */
export function meansTest(name: string, relation: string, column: string, group: string, welch: boolean): TestTables {
  const groups = `${name}_g AS (SELECT count(${column}) FILTER (WHERE ${group} = 1) AS n1, count(${column}) FILTER (WHERE ${group} = 2) AS n2, avg(${column}) FILTER (WHERE ${group} = 1) AS m1, avg(${column}) FILTER (WHERE ${group} = 2) AS m2, var_samp(${column}) FILTER (WHERE ${group} = 1) AS s1, var_samp(${column}) FILTER (WHERE ${group} = 2) AS s2 FROM ${relation})`;
  const pooled = "((n1 - 1) * s1 + (n2 - 1) * s2) / (n1 + n2 - 2)";
  const t = welch ? "(m1 - m2) / sqrt(s1 / n1 + s2 / n2)" : `(m1 - m2) / sqrt((${pooled}) * (1.0 / n1 + 1.0 / n2))`;
  const df = welch
    ? "pow(s1 / n1 + s2 / n2, 2) / (pow(s1 / n1, 2) / (n1 - 1) + pow(s2 / n2, 2) / (n2 - 1))"
    : "n1 + n2 - 2";
  return [
    groups,
    `${name}_t AS (SELECT ${t} AS t, CAST(${df} AS DOUBLE) AS df FROM ${name}_g)`,
    `${name} AS (SELECT t AS w, ${studentTwoSided("t", "df")} AS p FROM ${name}_t)`,
  ];
}

/** Whether the means of several groups differ (one-way analysis of variance). */
export function varianceTest(name: string, relation: string, column: string, group: string): TestTables {
  return [
    `${name}_g AS (SELECT ${group} AS g, count(${column}) AS n, avg(${column}) AS m, coalesce(var_pop(${column}), 0) * count(${column}) AS ss FROM ${relation} WHERE ${group} IS NOT NULL AND ${column} IS NOT NULL GROUP BY 1)`,
    `${name}_f AS (SELECT sum(n * pow(m - grand, 2)) / (count(*) - 1) / (sum(ss) / (sum(n) - count(*))) AS f, CAST(count(*) - 1 AS DOUBLE) AS k, CAST(sum(n) - count(*) AS DOUBLE) AS df FROM ${name}_g, (SELECT sum(n * m) / sum(n) AS grand FROM ${name}_g))`,
    `${name} AS (SELECT f AS w, ${fisherTail("f", "k", "df")} AS p FROM ${name}_f)`,
  ];
}

/** Whether two categories depend on each other (Pearson's chi-squared; with Yates' correction for two by two). */
export function independenceTest(name: string, relation: string, first: string, second: string): TestTables {
  return [
    `${name}_c AS (SELECT ${first} AS a, ${second} AS b, count(*) AS o FROM ${relation} WHERE ${first} IS NOT NULL AND ${second} IS NOT NULL GROUP BY 1, 2)`,
    `${name}_e AS (SELECT ra.a, rb.b, ra.n * rb.n * 1.0 / total.n AS e FROM (SELECT a, sum(o) AS n FROM ${name}_c GROUP BY 1) AS ra, (SELECT b, sum(o) AS n FROM ${name}_c GROUP BY 1) AS rb, (SELECT sum(o) AS n FROM ${name}_c) AS total)`,
    `${name}_x AS (SELECT CAST((count(DISTINCT e.a) - 1) * (count(DISTINCT e.b) - 1) AS DOUBLE) AS df, sum(pow(abs(coalesce(o, 0) - e) - CASE WHEN cells = 4 THEN least(0.5, abs(coalesce(o, 0) - e)) ELSE 0 END, 2) / e) AS x FROM ${name}_e AS e LEFT JOIN ${name}_c AS c ON c.a = e.a AND c.b = e.b, (SELECT count(*) AS cells FROM ${name}_e))`,
    `${name} AS (SELECT x AS w, ${chiSquaredTail("x", "df")} AS p FROM ${name}_x)`,
  ];
}
