/** What a field's name says of its values; `name`: the thing that a row is about; `any`: nothing. */
type FieldKind = "name" | "number" | "date" | "year" | "any";

export interface WantedField {
  readonly field: string;
  readonly kind: FieldKind;
  /** Words of its name as they may stand in a sentence: English ones without their endings, Chinese as they are. */
  readonly words: readonly string[];
  /** The unit in brackets at its end; null where there is none. */
  readonly unit: string | null;
}

const YEAR = /\byears?\b|年份|年度/iu;
const DATE =
  /\b(?:date|day|since|when|opened|opening|founded|founding|born|birth|died|death|established|built|launched|completed|signed|published)\b|日期|时间|何时|成立|开业|建成|出生|逝世|发布|签署/iu;
const NUMBER =
  /\b(?:number|count|amount|total|price|cost|fee|length|height|width|depth|weight|mass|area|size|capacity|population|distance|duration|age|rate|share|percent(?:age)?|revenue|profit|sales|income|budget|staff|employees|members|visitors|seats|rooms|beds|floors|score|speed|temperature|volume|value)\b|数|量|额|率|价|费|长|高|宽|深|重|面积|人口|距离|年龄|收入|利润|占比|比例|容积|速度|温度|预算|得分/iu;

/** The kinds of fields, by their names: the first one that says neither number nor date is the thing that a row is about. */
export function wantedFields(fields: readonly string[]): WantedField[] {
  const about = fields.find((field) => kindOf(...partsOf(field)) === "any");
  return fields.map((field) => {
    const [name, unit] = partsOf(field);
    return { field, kind: field === about ? "name" : kindOf(name, unit), words: wordsOf(name), unit };
  });
}

function partsOf(field: string): readonly [name: string, unit: string | null] {
  const found = /^(.*?)\s*[([（【]\s*([^([（【)\]）】]+?)\s*[)\]）】]\s*$/u.exec(field);
  return found === null ? [field, null] : [found[1] ?? "", found[2] ?? null];
}

function kindOf(name: string, unit: string | null): Exclude<FieldKind, "name"> {
  if (unit !== null) return "number";
  if (YEAR.test(name)) return "year";
  if (DATE.test(name)) return "date";
  return NUMBER.test(name) ? "number" : "any";
}

const EMPTY_WORDS: readonly string[] = ["number", "count", "amount", "total", "date", "year", "the", "of", "in"];

function wordsOf(name: string): string[] {
  const english = name.toLowerCase().match(/\p{Script=Latin}+/gu) ?? [];
  const chinese = name.match(/\p{Script=Han}{2,}/gu) ?? [];
  const stems = english
    .filter((word) => !EMPTY_WORDS.includes(word))
    .map((word) => word.slice(0, Math.max(4, word.length - 3)));
  return [...stems, ...chinese.map((word) => word.replace(/(?:日期|时间|数量|年份)$/u, "") || word)];
}
