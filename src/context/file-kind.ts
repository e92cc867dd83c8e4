import type { ContextFile } from "./context-files.js";
import { isClearlyDelimited } from "./read/csv-dialect.js";
import { guessWide, readHead } from "./read/utf8-file.js";

/** What a file is, by its content first and its name second. */
export type FileKind =
  | { readonly kind: "empty" | "delimited" | "json" | "parquet" | "sqlite" | "workbook" | "pdf" | "unknown" }
  | { readonly kind: "document"; readonly format: "markdown" | "text" }
  | { readonly kind: "media"; readonly type: string };

const HEAD_BYTES = 1 << 16;

/** Media types by the bytes at the start (`at` 0 unless said). */
const MEDIA_SIGNATURES: readonly { readonly bytes: string; readonly at?: number; readonly type: string }[] = [
  { bytes: "\x89PNG\r\n\x1a\n", type: "image/png" },
  { bytes: "\xff\xd8\xff", type: "image/jpeg" },
  { bytes: "GIF87a", type: "image/gif" },
  { bytes: "GIF89a", type: "image/gif" },
  { bytes: "WEBP", at: 8, type: "image/webp" },
  { bytes: "WAVE", at: 8, type: "audio/wav" },
  { bytes: "AVI ", at: 8, type: "video/x-msvideo" },
  { bytes: "II*\0", type: "image/tiff" },
  { bytes: "MM\0*", type: "image/tiff" },
  { bytes: "ftypM4A", at: 4, type: "audio/mp4" },
  { bytes: "ftypqt", at: 4, type: "video/quicktime" },
  { bytes: "ftyp", at: 4, type: "video/mp4" },
  { bytes: "\x1a\x45\xdf\xa3", type: "video/x-matroska" },
  { bytes: "ID3", type: "audio/mpeg" },
  { bytes: "\xff\xfb", type: "audio/mpeg" },
  { bytes: "OggS", type: "audio/ogg" },
  { bytes: "fLaC", type: "audio/flac" },
];

/** Media types by ending, for files whose start we do not know. */
const MEDIA_ENDINGS: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  svg: "image/svg+xml",
  mp4: "video/mp4",
  mov: "video/quicktime",
  avi: "video/x-msvideo",
  mkv: "video/x-matroska",
  webm: "video/webm",
  mp3: "audio/mpeg",
  wav: "audio/wav",
};

/** Looks at the first 64 KB. Throws what the system says when the file cannot be opened. */
export async function kindOfFile(file: ContextFile): Promise<FileKind> {
  const head = await readHead(file.absolute, HEAD_BYTES);
  if (head.length === 0) return { kind: "empty" };
  const ending = /\.([^./]+)$/.exec(file.path)?.[1]?.toLowerCase() ?? "";
  const start = head.subarray(0, 1024).toString("latin1");
  if (start.startsWith("SQLite format 3\0")) return { kind: "sqlite" };
  if (start.startsWith("PAR1")) return { kind: "parquet" };
  if (start.includes("%PDF-")) return { kind: "pdf" };
  if (start.startsWith("PK\x03\x04") && isWorkbook(ending, head)) return { kind: "workbook" };
  const signed = signedMediaType(head);
  if (signed !== null) return { kind: "media", type: signed };
  const media = MEDIA_ENDINGS[ending];
  if (media !== undefined) return { kind: "media", type: media };
  if (!isText(head)) return { kind: "unknown" };
  return kindOfText(ending, head, file.bytes <= HEAD_BYTES);
}

/** The media type that a file's first bytes show; null where they show none. */
export function signedMediaType(head: Buffer): string | null {
  const start = head.subarray(0, 16).toString("latin1");
  return MEDIA_SIGNATURES.find(({ bytes, at = 0 }) => start.startsWith(bytes, at))?.type ?? null;
}

function isWorkbook(ending: string, head: Buffer): boolean {
  return ending === "xlsx" || ending === "xlsm" || head.toString("latin1").includes("xl/w");
}

function isText(head: Uint8Array): boolean {
  const marked = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (marked || guessWide(head) !== null) return true;
  const controls = head.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  return controls <= head.length * 0.02;
}

function kindOfText(ending: string, head: Uint8Array, complete: boolean): FileKind {
  if (["csv", "tsv", "tab", "psv"].includes(ending)) return { kind: "delimited" };
  if (["json", "geojson", "jsonl", "ndjson"].includes(ending)) return { kind: "json" };
  if (["db", "db3", "sqlite", "sqlite3", "parquet", "xlsx", "xlsm", "xls", "pdf"].includes(ending))
    return { kind: "unknown" };
  if (["md", "markdown"].includes(ending)) return { kind: "document", format: "markdown" };
  const table = ["txt", "dat", "data", ""].includes(ending) && isClearlyDelimited(head, complete);
  return table ? { kind: "delimited" } : { kind: "document", format: "text" };
}
