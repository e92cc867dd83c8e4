const RESERVED = new Set(
  "all and any as asc between by case cast check column create cross default desc distinct else end except exists false for foreign from full grant group having in inner intersect into is join left like limit not null offset on or order outer primary references right select set some table then to true union unique using user when where window with date time year month day rank position name type text index match".split(
    " ",
  ),
);

/** A name as SQL needs it: quoted unless it is a plain lower-case word that means nothing else. */
export function quoteName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
