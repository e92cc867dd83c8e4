/** Points of a numeric integral: enough for six decimals of every density here. */
const STEPS = 2000;

/** Simpson's rule in SQL: the integral of `density(x)` from `from` to `to`, both SQL expressions. */
function integral(from: string, to: string, density: (x: string) => string): string {
  const step = `((${to}) - (${from})) / ${STEPS}.0`;
  const weight = `CASE WHEN i = 0 OR i = ${STEPS} THEN 1 WHEN i % 2 = 1 THEN 4 ELSE 2 END`;
  return `((${step}) / 3 * (SELECT sum((${weight}) * ${density(`((${from}) + i * (${step}))`)}) FROM range(0, ${STEPS + 1}) AS steps(i)))`;
}

/** P(Z > z) of the standard normal distribution. */
export function normalTail(z: string): string {
  const beyond = integral(`abs(${z})`, `abs(${z}) + 12`, (x) => `exp(-${x} * ${x} / 2)`);
  const tail = `(${beyond} / sqrt(2 * pi()))`;
  return `(CASE WHEN ${z} >= 0 THEN ${tail} ELSE 1 - ${tail} END)`;
}

/** P(|T| > |t|) of Student's distribution with `df` degrees of freedom. */
export function studentTwoSided(t: string, df: string): string {
  const constant = `exp(lgamma((${df} + 1) / 2.0) - lgamma(${df} / 2.0)) / sqrt(${df} * pi())`;
  const within = integral("0", `least(abs(${t}), 200)`, (x) => `pow(1 + ${x} * ${x} / ${df}, -(${df} + 1) / 2.0)`);
  return `greatest(0, 1 - 2 * (${constant}) * ${within})`;
}

/** P(X > x) of the chi-squared distribution with `df` degrees of freedom. */
export function chiSquaredTail(x: string, df: string): string {
  const constant = `2 / exp(${df} / 2.0 * ln(2) + lgamma(${df} / 2.0))`;
  const below = integral("0", `sqrt(least(${x}, 2000))`, (u) => `pow(${u}, ${df} - 1) * exp(-${u} * ${u} / 2)`);
  return `greatest(0, 1 - (${constant}) * ${below})`;
}

/** P(F > f) of Fisher's distribution with `between` and `within` degrees of freedom. */
export function fisherTail(f: string, between: string, within: string): string {
  const a = `(${within} / 2.0)`;
  const b = `(${between} / 2.0)`;
  const constant = `exp(lgamma(${a} + ${b}) - lgamma(${a}) - lgamma(${b}))`;
  return `((${constant}) * ${integral("1e-12", `${within} / (${within} + ${between} * ${f})`, (x) => `pow(${x}, ${a} - 1) * pow(1 - ${x}, ${b} - 1)`)})`;
}

/** The standard normal quantile of `p` (Acklam's rational approximation, relative error below 1.2e-9). */
export function normalQuantile(p: string): string {
  const central = polynomial(
    "r",
    [
      -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
      2.506628277459239,
    ],
  );
  const centralBelow = polynomial(
    "r",
    [-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1, 1],
  );
  const tail = polynomial(
    "q",
    [
      -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
      2.938163982698783,
    ],
  );
  const tailBelow = polynomial(
    "q",
    [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1],
  );
  const inTail = (probability: string) => fill(`(${tail}) / (${tailBelow})`, "q", `sqrt(-2 * ln(${probability}))`);
  const inCentre = fill(`(${central}) * (${p} - 0.5) / (${centralBelow})`, "r", `((${p} - 0.5) * (${p} - 0.5))`);
  return `(CASE WHEN ${p} < 0.02425 THEN ${inTail(p)} WHEN ${p} > 0.97575 THEN -(${inTail(`(1 - ${p})`)}) ELSE ${inCentre} END)`;
}

/** A polynomial in `variable` by Horner's rule, highest power first. */
function polynomial(variable: string, coefficients: readonly number[]): string {
  return coefficients.map(String).reduce((sum, coefficient) => `(${sum} * ${variable} + ${coefficient})`);
}

function fill(sql: string, variable: string, by: string): string {
  return sql.replaceAll(new RegExp(`\\b${variable}\\b`, "g"), by);
}
