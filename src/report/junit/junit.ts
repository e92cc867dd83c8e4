/** JUnit's XML as CI services read it. */

export interface JUnitSuite {
  readonly name: string;
  readonly cases: readonly JUnitCase[];
}

export interface JUnitCase {
  readonly name: string;
  readonly class_name: string;
  readonly seconds: number;
  readonly result:
    | { readonly kind: "passed" }
    /** `error`: it could not be told, which is not the tested thing's fault. */
    | { readonly kind: "failure" | "error"; readonly type: string; readonly message: string }
    | { readonly kind: "skipped"; readonly message: string };
  /** Further facts for a reader; null where there are none. */
  readonly output: string | null;
}

/** The text of a JUnit file. */
export function junitXml(suites: readonly JUnitSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${countsOf(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(suiteLines),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteLines({ name, cases }: JUnitSuite): string[] {
  return [`  <testsuite name="${escaped(name)}" ${countsOf(cases)}>`, ...cases.flatMap(caseLines), "  </testsuite>"];
}

function countsOf(cases: readonly JUnitCase[]): string {
  const count = (kind: JUnitCase["result"]["kind"]) => cases.filter(({ result }) => result.kind === kind).length;
  const time = cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  return `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}" time="${time}"`;
}

function caseLines({ name, class_name, seconds, result, output }: JUnitCase): string[] {
  const inside = [
    ...resultLines(result),
    ...(output === null ? [] : [`      <system-out>${escaped(output)}</system-out>`]),
  ];
  const open = `    <testcase name="${escaped(name)}" classname="${escaped(class_name)}" time="${seconds.toFixed(3)}"`;
  return inside.length === 0 ? [`${open}/>`] : [`${open}>`, ...inside, "    </testcase>"];
}

function resultLines(result: JUnitCase["result"]): string[] {
  switch (result.kind) {
    case "passed":
      return [];
    case "skipped":
      return [`      <skipped message="${escaped(result.message)}"/>`];
    case "failure":
    case "error":
      return [`      <${result.kind} type="${escaped(result.type)}" message="${escaped(result.message)}"/>`];
  }
}

/** Text for XML 1.0, which has no place for most control characters, half surrogates and U+FFFE, U+FFFF, not even escaped. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, (one) => (/[\t\n\r]/.test(one) ? one : "\ufffd"))
    .replaceAll(/[&<>"\t\n\r]/g, (one) => `&#${one.charCodeAt(0)};`);
}
