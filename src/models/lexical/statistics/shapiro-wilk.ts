import { normalQuantile, normalTail } from "./distributions.js";

/** Common table expressions that end in `name(w, p)`: the Shapiro–Wilk test of `column` in `relation`, after Royston (AS R94). */
export function shapiroWilk(name: string, relation: string, column: string): readonly string[] {
  const [ranked, summed, weighted, tested] = ["ranked", "summed", "weighted", "tested"].map(
    (step) => `${name}_${step}`,
  );
  const inverse = "(1 / sqrt(n))";
  return [
    `${ranked} AS (SELECT x, i, n, ${normalQuantile("((i - 0.375) / (n + 0.25))")} AS m FROM (SELECT ${column} AS x, row_number() OVER (ORDER BY ${column}) AS i, count(*) OVER () AS n FROM ${relation} WHERE ${column} IS NOT NULL))`,
    `${summed} AS (SELECT any_value(n) AS n, sum(m * m) AS mm, max(m) AS m1, max(m) FILTER (WHERE i = n - 1) AS m2, avg(x) AS mean FROM ${ranked})`,
    `${weighted} AS (SELECT n, mean, mm, m1, m2, ${power(inverse, [0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056])} + m1 / sqrt(mm) AS a1, ${power(inverse, [0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633])} + m2 / sqrt(mm) AS a2 FROM ${summed})`,
    `${tested} AS (SELECT any_value(r.n) AS n, pow(sum(r.x * CASE WHEN r.i = r.n THEN a1 WHEN r.i = 1 THEN -a1 WHEN r.n > 5 AND r.i = r.n - 1 THEN a2 WHEN r.n > 5 AND r.i = 2 THEN -a2 ELSE r.m / ${scale()} END), 2) / sum(pow(r.x - mean, 2)) AS w FROM ${ranked} AS r, ${weighted})`,
    `${name} AS (SELECT w, CASE WHEN z IS NULL THEN 0 ELSE ${normalTail("z")} END AS p FROM (SELECT w, ${deviate()} AS z FROM ${tested}))`,
  ];
}

/** Scales the weights in the middle so that all squares add up to one. */
function scale(): string {
  const outer =
    "(CASE WHEN r.n > 5 THEN (mm - 2 * m1 * m1 - 2 * m2 * m2) / (1 - 2 * a1 * a1 - 2 * a2 * a2) ELSE (mm - 2 * m1 * m1) / (1 - 2 * a1 * a1) END)";
  return `sqrt(${outer})`;
}

/** The normal deviate of W; null where W is so small that its chance is nil. */
function deviate(): string {
  const small = `CASE WHEN ln(1 - w) >= 0.459 * n - 2.273 THEN NULL ELSE (-ln(0.459 * n - 2.273 - ln(1 - w)) - ${power("n", [0.544, -0.39978, 0.025054, -6.714e-4])}) / exp(${power("n", [1.3822, -0.77857, 0.062767, -0.0020322])}) END`;
  const large = `(ln(1 - w) - ${power("ln(n)", [-1.5861, -0.31082, -0.083751, 0.0038915])}) / exp(${power("ln(n)", [-0.4803, -0.082676, 0.0030302])})`;
  return `CASE WHEN n <= 11 THEN ${small} ELSE ${large} END`;
}

/** A polynomial, lowest power first. */
function power(variable: string, coefficients: readonly number[]): string {
  return `(${coefficients.map((coefficient, index) => `(${coefficient}) * pow(${variable}, ${index})`).join(" + ")})`;
}
