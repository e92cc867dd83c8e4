/** A column's name in SQL beside its name in the file. */
export interface NamedColumn {
  readonly name: string;
  readonly source_name: string;
}

/** What was changed in naming a table's columns: positions from 1. */
export interface NamedColumns {
  readonly columns: readonly NamedColumn[];
  readonly empty: readonly number[];
  readonly duplicate: readonly number[];
}

/**
 * Names for SQL, unique ignoring case: the file's own names with the white space around them dropped and that inside made one space;
 * `column_3` for an empty one, `name_2` for the second of a name.
 */
export function nameColumns(sourceNames: readonly string[]): NamedColumns {
  const taken = new Set<string>();
  const empty: number[] = [];
  const duplicate: number[] = [];
  const tidy = sourceNames.map((name) => name.replaceAll(/[\s\0]+/g, " ").trim());
  const own = new Set(tidy.map((name) => name.toLowerCase()));
  const columns = tidy.map((wanted, i) => {
    const base = wanted === "" ? `column_${i + 1}` : wanted;
    let name = base;
    // A made name must not take one that another column has of its own.
    for (let n = 2; taken.has(name.toLowerCase()) || (name !== wanted && own.has(name.toLowerCase())); n++) {
      name = `${base}_${n}`;
    }
    taken.add(name.toLowerCase());
    if (wanted === "") empty.push(i + 1);
    else if (name !== wanted) duplicate.push(i + 1);
    return { name, source_name: sourceNames[i] ?? "" };
  });
  return { columns, empty, duplicate };
}

/** `2014 q4-data.csv` → `t_2014_q4_data`: a file's name as a table name that needs no quotes in SQL. */
export function tableNameOfFile(path: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const stem = file.replace(/(?<=.)\.[^.]*$/u, "");
  const words = stem.replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, "_").replaceAll(/^_+|_+$/g, "");
  return words === "" ? "table_1" : /^\p{N}/u.test(words) ? `t_${words}` : words;
}

/**
 * A table name that no other table has, ignoring case: the wanted one, else with the kind of its file (`races_csv`), then its folder
 * (`races_csv_old`), then a number.
 */
export function uniqueTableName(wanted: string, source: string, taken: ReadonlySet<string>): string {
  const free = (name: string) => !taken.has(name.toLowerCase());
  if (free(wanted)) return wanted;
  const [file = ""] = source.split("#");
  const parts = file.split("/");
  const ending = /\.([A-Za-z0-9]+)$/.exec(file)?.[1]?.toLowerCase() ?? "file";
  const folder = tableNameOfFile(`${parts.at(-2) ?? "top"}.x`);
  const candidates = [`${wanted}_${ending}`, `${wanted}_${ending}_${folder}`];
  const found = candidates.find(free);
  if (found !== undefined) return found;
  let n = 2;
  while (!free(`${wanted}_${n}`)) n += 1;
  return `${wanted}_${n}`;
}
