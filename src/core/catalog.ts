import { isVideoSummary } from "./evidence.js";

/** What is in a task's context, as compiled once by `context`. Also the shape that is cached on disk as JSON. */
export interface Catalog {
  readonly schema_version: 1;
  /** Digest of the context folder's content (relative paths and bytes) and the compiler's version. */
  readonly digest: string;
  readonly tables: readonly CatalogTable[];
  readonly relationships: readonly Relationship[];
  readonly documents: readonly CatalogDocument[];
  readonly media: readonly CatalogMedia[];
  readonly uncertainties: readonly Uncertainty[];
}

export interface CatalogTable {
  /** Name in SQL, unique in this context ignoring case. */
  readonly name: string;
  /** File it was read from, relative to the context, `/`-separated; `data.xlsx#Sheet2` or `shop.db#orders` for parts. */
  readonly source: string;
  readonly rows: number;
  readonly columns: readonly CatalogColumn[];
}

export interface CatalogColumn {
  /** Name in SQL, unique in its table ignoring case. */
  readonly name: string;
  /** Name as the file has it; differs from `name` where that is empty, a duplicate, or has white space around it or line ends in it. */
  readonly source_name: string;
  /** DuckDB type: VARCHAR, BIGINT, DOUBLE, DECIMAL(p,s), DATE, TIMESTAMP, BOOLEAN, … */
  readonly type: string;
  readonly nulls: number;
  /** Exact count of distinct non-null values. */
  readonly distinct: number;
  /** Smallest and largest value as text, cut at 200 characters; null where all values are null. */
  readonly min: string | null;
  readonly max: string | null;
  /** The most frequent values, most frequent first, ties by value; at most 10, long texts cut at 200 characters. */
  readonly top_values: readonly { readonly value: string; readonly count: number }[];
}

export interface Relationship {
  readonly from_table: string;
  readonly from_column: string;
  readonly to_table: string;
  readonly to_column: string;
  /** `declared`: a foreign key in a SQLite schema. `inferred`: names agree and the values of `from` are contained in `to`. */
  readonly kind: "declared" | "inferred";
  /** In words, with numbers: why we believe it. */
  readonly evidence: string;
}

export interface CatalogDocument {
  readonly path: string;
  readonly format: "markdown" | "text" | "pdf";
  readonly bytes: number;
  readonly lines: number;
  readonly characters: number;
  readonly headings: readonly DocumentHeading[];
}

export interface DocumentHeading {
  /** 1 … 6; a PDF's pages are level 1. */
  readonly level: number;
  readonly text: string;
  /** First line of the section, from 1. */
  readonly line: number;
}

export interface CatalogMedia {
  readonly path: string;
  /** Media type by content where known, else by ending: image/png, video/mp4, … */
  readonly type: string;
  readonly bytes: number;
}

/** Something that could not be read as it stands, or was read in a way that a person might dispute. */
export interface Uncertainty {
  readonly source: string;
  /** kebab-case kind: `ragged-rows`, `unterminated-quote`, `encoding-guessed`, `duplicate-header`, `unreadable`, … */
  readonly code: string;
  readonly table?: string;
  readonly column?: string;
  /** One sentence with numbers: what, where, what was done. */
  readonly detail: string;
}

/** The catalog as the agent's first message has it: names, types and sizes; details come through tools. */
export interface LightCatalog {
  readonly tables: readonly {
    readonly name: string;
    readonly source: string;
    readonly rows: number;
    readonly columns: readonly { readonly name: string; readonly type: string }[];
  }[];
  readonly relationships: readonly Pick<
    Relationship,
    "from_table" | "from_column" | "to_table" | "to_column" | "kind"
  >[];
  readonly documents: readonly { readonly path: string; readonly characters: number }[];
  readonly media: readonly { readonly path: string; readonly type: string }[];
  readonly uncertainties: readonly string[];
}

/** What the first message shows of a catalog. Pure. */
export function lightCatalog(catalog: Catalog): LightCatalog {
  return {
    tables: catalog.tables.map(({ name, source, rows, columns }) => ({
      name,
      source,
      rows,
      columns: columns.map((column) => ({ name: column.name, type: column.type })),
    })),
    relationships: catalog.relationships.map(({ from_table, from_column, to_table, to_column, kind }) => ({
      from_table,
      from_column,
      to_table,
      to_column,
      kind,
    })),
    documents: catalog.documents.map(({ path, characters }) => ({ path, characters })),
    media: catalog.media.map(({ path, type }) => ({ path, type })),
    uncertainties: catalog.uncertainties.map(({ source, detail }) => `${source}: ${detail}`),
  };
}

/** Whether a context has pictures, videos, or texts about a video. */
export function hasVisuals({ media, documents }: LightCatalog): boolean {
  return media.some(({ type }) => /^(?:image|video)\//.test(type)) || documents.some(({ path }) => isOfVideo(path));
}

/** `video/q3_timeline.md`, `q3_video_summary.md` */
function isOfVideo(path: string): boolean {
  return isVideoSummary(path) || /(?:^|\/)video\/[^/]*_timeline\.md$/iu.test(path);
}

/** Of data that nobody compiled. */
export const NO_CATALOG: LightCatalog = {
  tables: [],
  relationships: [],
  documents: [],
  media: [],
  uncertainties: [],
};
