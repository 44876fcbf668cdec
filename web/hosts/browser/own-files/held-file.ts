/** An open file of the user: its rows and searches in them. Loaded with the first file. @module */
import { listOf, objectOf } from "../../../../data/format/json.ts";
import { createMemo, type Feature } from "../../../engine/index.ts";
import { parseSearch, SEARCH_PATHS, type SearchPath, TABLE_PARAMETERS } from "../../../search/index.ts";
import {
  type ExportedRows,
  type FileAnswer,
  type FileToAdd,
  type JoinedRow,
  type JoinedRows,
  type JoinQuestion,
  MOST_FILE_BYTES,
  MOST_JOINED,
  type OwnFile,
  type SearchArgument,
} from "../protocol/index.ts";
import { tableName, tableStream } from "./file-table.ts";
import { FileError, type FileRow, readFile } from "./read-file.ts";
import { titleOf } from "./row-columns.ts";
import { createFileSearch } from "./search-file.ts";

export type HeldFile = Awaited<ReturnType<typeof holdFile>>;

/** Returns a file of the same name with the rows as GeoJSON. Its content, not its name, decides how it is read. */
function withPlaces({ name }: File, rows: readonly FileRow[]): File {
  const features = rows.map(({ geometry, properties }) => ({ type: "Feature", geometry, properties }));
  return new File([JSON.stringify({ type: "FeatureCollection", features })], name, { type: "application/geo+json" });
}

interface HoldOptions {
  readonly id: string;
  readonly tables: ReadonlySet<string>;
  readonly isKept: boolean;
  /** Names of the columns with latitude and longitude, if the user chose them. */
  readonly columns?: FileToAdd["columns"];
}

/** Reads the file and returns searches in it. Throws `FileError` when it cannot be read. */
export async function holdFile(given: File, { id, tables, isKept, columns: chosen }: HoldOptions) {
  if (given.size > MOST_FILE_BYTES) throw new FileError({ code: "bytes", bytes: given.size });
  const original = new File([await given.arrayBuffer()], given.name, { type: given.type });
  const { rows, leftOut } = await readFile(original, chosen);
  // a stored file has its places without the choice
  const content = chosen ? withPlaces(original, rows) : original;
  const searchable = createFileSearch(rows);
  const { bbox, columns } = searchable;
  const answers = createMemo<FileAnswer>();
  let last = "";
  const file: OwnFile = {
    id,
    name: given.name,
    rows: rows.length,
    leftOut,
    bbox,
    columns: Array.from(columns.uses, ([use, names]) => ({ use, names })),
    otherColumns: columns.others,
    table: tableName(given.name, tables),
    isKept,
  };
  return {
    file,
    /** Stored on request: the file on the disk may change or disappear. */
    content,
    rows,
    /** Returns all matches, or all rows without a search. Throws `ParameterError`. */
    async search(search: SearchArgument | undefined, signal?: AbortSignal): Promise<FileAnswer> {
      // panel and list ask for the same search
      const asked = JSON.stringify(search ?? null);
      if (asked !== last) answers.delete(last);
      last = asked;
      const { question, unasked } = search ? questionOf(search) : { question: {}, unasked: [] };
      const answer = await answers.get(asked, (own) => searchable.search(question, own), signal);
      return unasked.length === 0 ? answer : { ...answer, unasked: [...answer.unasked, ...unasked] };
    },
    /** Returns undefined if the row has no title and no text. */
    titleOf: (row: number): string | undefined => titleOf(rows[row]?.properties ?? {}, columns),
    table: (): ArrayBuffer => tableStream(rows),
  };
}

/**
 * Returns the search for a file, and the parameters that are not asked: filters of columns of a collection do not apply to files.
 */
function questionOf({ path: name, parameters, area }: SearchArgument) {
  const fixed = SEARCH_PATHS.find((known) => known.path === name);
  const path: SearchPath = fixed ?? { path: name, collections: [], parameters: TABLE_PARAMETERS, own: { columns: [] } };
  const isAsked = (parameter: string) => fixed !== undefined || TABLE_PARAMETERS.some((known) => known === parameter);
  const entries = Object.entries(parameters);
  const asked = Object.fromEntries(entries.filter(([parameter]) => isAsked(parameter)));
  const unasked = entries.flatMap(([parameter]) => (isAsked(parameter) ? [] : [parameter]));
  return { question: parseSearch(path, asked, area).query, unasked };
}

/** Returns the rows of all files whose distances lie between `from` and `below`, to be merged into a page of records. */
export async function joinFiles(
  files: readonly HeldFile[],
  { search, from = 0, below = Infinity }: JoinQuestion,
  signal?: AbortSignal,
): Promise<JoinedRows> {
  const matches = await matchesOf(files, search, signal);
  const before = matches.filter((match) => metersOf(match) < from).length;
  const here = matches.slice(before).filter((match) => metersOf(match) < below);
  const body = here.slice(0, MOST_JOINED);
  return { total: matches.length, before, left: here.length - body.length, body };
}

/** Name of the property with a row's own `id`, because records have another `id`. */
const OWN_ID = "own_id";

/** Returns the requested rows as features; for `all`, all matches by distance, then in the order of files and rows. */
export async function exportedRows(
  files: readonly HeldFile[],
  { rows, ...search }: SearchArgument & { readonly rows: "all" | readonly JoinedRow[] },
): Promise<ExportedRows> {
  const wanted = rows === "all" ? await matchesOf(files, search) : rows;
  const used = files.filter(({ file }) => wanted.some((row) => row.file === file.id));
  const columns = used.flatMap(({ file }) => [...file.columns.flatMap(({ names }) => names), ...file.otherColumns]);
  const byId = new Map(used.map((held) => [held.file.id, held]));
  return {
    features: wanted.flatMap((row) => featureOf(byId.get(row.file), row) ?? []),
    columns: [...new Set(columns.map((column) => (column === "id" ? OWN_ID : column)))],
    files: [...new Set(used.map(({ file }) => file.name))],
  };
}

/** Returns the row as a record: its properties, title and distance, and the file as its source. */
function featureOf(held: HeldFile | undefined, { row, title, distanceMeters }: JoinedRow): Feature | undefined {
  const found = held?.rows[row];
  if (!held || !found) return undefined;
  const { id, ...others } = found.properties;
  const properties = id === undefined ? others : { [OWN_ID]: id, ...others };
  const { name } = held.file;
  const isNamed = objectOf(properties.names)?.primary !== undefined;
  return {
    id: `${name}#${row + 1}`,
    type: "Feature",
    geometry: found.geometry,
    properties: {
      ...properties,
      ...(isNamed || title === undefined ? {} : { names: { primary: title } }),
      ...(distanceMeters === undefined ? {} : { ext_distance: distanceMeters }),
      sources: [{ dataset: name, record_id: String(row + 1) }, ...listOf(properties.sources)],
    },
  };
}

async function matchesOf(
  files: readonly HeldFile[],
  search: SearchArgument,
  signal?: AbortSignal,
): Promise<JoinedRow[]> {
  const found = await Promise.all(
    files.map(async (held) => {
      const { matches } = await held.search(search, signal);
      return matches.map((match): JoinedRow => ({ ...match, file: held.file.id }));
    }),
  );
  // stable: then in the order of files and rows
  return found.flat().sort((a, b) => metersOf(a) - metersOf(b));
}

const metersOf = ({ distanceMeters = 0 }: JoinedRow): number => distanceMeters;
