import { readFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import Database from "better-sqlite3";
import ExcelJs from "exceljs";
import { folderWith } from "../support/folder.js";

/** A SQLite file that these statements make. Foreign keys are not enforced, as in files from elsewhere. */
export function sqliteFile(sql: string): Uint8Array {
  const database = new Database(":memory:");
  database.pragma("foreign_keys = off");
  database.exec(sql);
  const bytes = database.serialize();
  database.close();
  return bytes;
}

/** A SQLite file x.db in a folder of its own, with a view `forever`, which never ends, and a view `slow`: one row with the number 3000000, after about a second. */
export function endlessView(): string {
  const counting = (end: string) =>
    `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c ${end}) SELECT count(*) AS k FROM c`;
  const sql = `CREATE VIEW forever AS ${counting("")}; CREATE VIEW slow AS ${counting("WHERE n < 3000000")}`;
  return path.join(folderWith({ "x.db": sqliteFile(sql) }), "x.db");
}

/** A Parquet file with the rows of a query. */
export async function parquetFile(query: string): Promise<Uint8Array> {
  const file = path.join(folderWith(), "made.parquet");
  const database = await DuckDBInstance.create(":memory:");
  const connection = await database.connect();
  await connection.run(`COPY (${query}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  database.closeSync();
  return readFileSync(file);
}

/** A workbook as `fill` makes it. */
export async function workbookFile(fill: (workbook: ExcelJs.Workbook) => void): Promise<Uint8Array> {
  const workbook = new ExcelJs.Workbook();
  fill(workbook);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

/** A PDF with one line of text on each page; a page without text for an empty line. */
export function pdfFile(pages: readonly string[]): Uint8Array {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  pages.forEach((page, i) => {
    const stream = page === "" ? "" : `BT /F1 12 Tf 72 700 Td (${page}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  });
  let text = "%PDF-1.4\n";
  const places = objects.map((object, i) => {
    const place = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`);
}
