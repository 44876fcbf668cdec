/** Writes the changes between two releases to one file. @module */
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { OVERTURE_TYPES, type OvertureType } from "../../../data/format/collections.ts";
import { type Database, defaultMemory, duckdbBytes, openDatabase, quotePath } from "../../base/database/index.ts";
import { makeFolder } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { changedPacks, changesSql, type WantedChanges } from "./changes-sql.ts";
import type { OpenRelease } from "./keep-release.ts";
import { writeGeoJson, writeGeoParquet } from "./write-file.ts";

type ChangeFormat = "geoparquet" | "geojson";

type Change = "added" | "removed" | "changed";

interface ChangesOptions extends WantedChanges {
  /** Path of a file if it ends as a format does, otherwise of a folder. */
  readonly out: string;
  /** Default: by the ending of `out`, otherwise `geoparquet`. */
  readonly format?: ChangeFormat | undefined;
  /** Default: a quarter of this machine's memory. */
  readonly memoryBytes?: number | undefined;
  /** Folder for data that does not fit in memory. Default: the system's temporary folder. */
  readonly temp?: string | undefined;
}

interface ChangeCounts extends Readonly<Record<Change, number>> {
  readonly collection: OvertureType;
}

interface ChangesReport {
  readonly path: string;
  /** Numbers of added, removed and changed records, by name of the collection. */
  readonly counts: readonly ChangeCounts[];
}

const FORMAT_OF: Readonly<Record<string, ChangeFormat>> = {
  ".parquet": "geoparquet",
  ".geojson": "geojson",
  ".json": "geojson",
};

/**
 * Returns the path of the file to write, and its format. Throws if the ending of `out` is unknown or of another format.
 */
export function changesFile({ out, format }: Pick<ChangesOptions, "out" | "format">): {
  readonly path: string;
  readonly format: ChangeFormat;
} {
  const own = FORMAT_OF[extname(out).toLowerCase()];
  if (own && format && own !== format)
    throw new CodedError("CAIRN_E_VALUE", `--out ${out}: the ending is of ${own}, got --format ${format}`);
  if (!own && extname(out) !== "" && !existsSync(out))
    throw new CodedError(
      "CAIRN_E_VALUE",
      `--out ${out}: expected a folder, or a file that ends in ${Object.keys(FORMAT_OF).join(", ")}, got ${extname(out)}`,
    );
  const wanted = format ?? own ?? "geoparquet";
  const name = wanted === "geojson" ? "changes.geojson" : "changes.parquet";
  return { path: own ? out : join(out, name), format: wanted };
}

/**
 * Finds the records that differ between two releases and writes them to one file: one row or feature per record, by
 * collection and id. Returns their number. Throws for a wrong `out`.
 */
export async function writeChanges(
  older: OpenRelease,
  newer: OpenRelease,
  { memoryBytes = defaultMemory(), temp = tmpdir(), ...options }: ChangesOptions,
): Promise<ChangesReport> {
  const { path, format } = changesFile(options);
  await makeFolder(temp);
  await makeFolder(dirname(path));
  const folder = await mkdtemp(join(temp, "cairn-changes-"));
  try {
    const database = await openDatabase({ folder, memoryBytes: duckdbBytes(memoryBytes) });
    try {
      const types = (options.types ?? OVERTURE_TYPES).filter(
        (type) => older.manifest.collections[type] ?? newer.manifest.collections[type],
      );
      const counts: ChangeCounts[] = [];
      const files: string[] = [];
      for (const type of types.toSorted()) {
        const packs = await changedPacks(older, newer, type);
        const file = join(folder, `${type}.parquet`);
        const isSame = packs.older.length + packs.newer.length === 0;
        if (!isSame) {
          await database.run(
            `COPY (${await changesSql(database, type, packs, options)}) TO ${quotePath(file)} (FORMAT parquet)`,
          );
          files.push(file);
        }
        counts.push({ collection: type, ...(isSame ? NONE : await countChanges(database, file)) });
      }
      const draft = `${path}.tmp`;
      await (format === "geojson" ? writeGeoJson : writeGeoParquet)(database, files, draft);
      await rename(draft, path);
      return { path, counts };
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const NONE: Readonly<Record<Change, number>> = { added: 0, removed: 0, changed: 0 };

async function countChanges(database: Database, file: string): Promise<Readonly<Record<Change, number>>> {
  const counted = await database.rows<{ change: Change; rows: number }>(
    `SELECT change, count(*) AS rows FROM read_parquet(${quotePath(file)}) GROUP BY change`,
  );
  return { ...NONE, ...Object.fromEntries(counted.map(({ change, rows }) => [change, rows])) };
}
