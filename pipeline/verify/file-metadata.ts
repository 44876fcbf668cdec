/** What Parquet files say about themselves: columns, row groups, key-value metadata. @module */
import { join } from "node:path";
import type { CollectionName, Column } from "../../data/format/collections.ts";
import { type Database, quoteIdentifier, quotePath } from "../database/index.ts";
import { cairnMetadata, geoMetadata, ROW_GROUP_ROWS } from "../partitions/index.ts";
import { batchFiles } from "./batches.ts";
import { checksOf, expectedGot, type Ledger } from "./ledger.ts";
import type { PartitionRows } from "./partition-checks.ts";
import type { SoundPartition } from "./row-table.ts";

interface FileMetadata {
  readonly path: string;
  readonly groups: readonly number[];
  readonly schema: string;
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

export type NamedType = Pick<Column, "name" | "type">;

export interface ExpectedMetadata {
  readonly collection: CollectionName;
  readonly schemas: readonly (readonly NamedType[])[];
  /** By file, where the files have `geo` metadata. */
  readonly rows?: ReadonlyMap<number, PartitionRows>;
}

export async function checkFileMetadata(
  database: Database,
  dataset: string,
  expected: ExpectedMetadata,
  partitions: readonly SoundPartition[],
  ledger: Ledger,
): Promise<void> {
  for (const batch of batchFiles(partitions)) await checkBatch(database, dataset, expected, batch, ledger);
}

async function checkBatch(
  database: Database,
  dataset: string,
  { collection, schemas, rows }: ExpectedMetadata,
  partitions: readonly SoundPartition[],
  ledger: Ledger,
): Promise<void> {
  const found = await readMetadata(
    database,
    partitions.map(({ path }) => join(dataset, path)),
  );
  const faultOfSchema = await schemaFaults(database, schemas, [...found.values()]);
  for (const partition of partitions) {
    const file = found.get(join(dataset, partition.path));
    if (!file) continue;
    const { path, run, node } = partition;
    const { say, same } = checksOf(ledger, collection, path);
    const schemaFault = faultOfSchema.get(file.schema);
    say("columns", schemaFault === undefined, () => `${schemaFault}`);
    const total = file.groups.reduce((sum, group) => sum + group, 0);
    const groups = Array.from({ length: Math.ceil(total / ROW_GROUP_ROWS) }, (_, i) =>
      Math.min(ROW_GROUP_ROWS, total - i * ROW_GROUP_ROWS),
    );
    same("row groups", "row groups", groups, file.groups);
    const summary = rows?.get(partition.file);
    const expected = {
      ...(rows ? { geo: summary ? geoMetadata(summary.kinds, node.bbox) : undefined } : {}),
      cairn: cairnMetadata(collection, run, node.country),
    };
    for (const [key, value] of Object.entries(expected)) {
      const got = file.values.filter((_, i) => file.keys[i] === key);
      const isRight = got.length === 1 && (value === undefined || sameJson(value, got[0] ?? ""));
      say("metadata", isRight, () => `metadata ${key} ${expectedGot([value], got)}`);
    }
  }
}

function sameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return false;
  }
}

async function readMetadata(database: Database, paths: readonly string[]): Promise<Map<string, FileMetadata>> {
  const list = `[${paths.map(quotePath).join(", ")}]`;
  const files = await database.rows<FileMetadata>(`
    WITH groups AS (
      SELECT file_name AS path, list(rows ORDER BY id) AS groups FROM (
        SELECT DISTINCT file_name, row_group_id AS id, row_group_num_rows::INTEGER AS rows FROM parquet_metadata(${list})
      ) GROUP BY 1
    ), schemas AS (
      SELECT file_name AS path, md5(string_agg(concat_ws(' ', name, type, logical_type, num_children), ',')) AS schema
      FROM parquet_schema(${list}) GROUP BY 1
    ), pairs AS (
      SELECT file_name AS path, list(decode(key)) AS keys, list(decode(value)) AS values
      FROM parquet_kv_metadata(${list}) GROUP BY 1
    )
    SELECT path, coalesce(groups, []) AS groups, schema, coalesce(keys, []) AS keys, coalesce(values, []) AS values
    FROM schemas LEFT JOIN groups USING (path) LEFT JOIN pairs USING (path)`);
  return new Map(files.map((file) => [file.path, file]));
}

/** Faults by schema, told against the first of those allowed; one file stands for all with the same schema. */
async function schemaFaults(
  database: Database,
  allowed: readonly (readonly NamedType[])[],
  files: readonly Pick<FileMetadata, "schema" | "path">[],
): Promise<Map<string, string>> {
  const expected = await Promise.all(
    allowed.map(async (columns) => spell(await database.columns(`SELECT ${columns.map(nullSql).join(", ")}`))),
  );
  const faults = new Map<string, string>();
  for (const { schema, path } of new Map(files.map((file) => [file.schema, file])).values()) {
    const got = spell(
      await database.columns(`SELECT * FROM read_parquet(${quotePath(path)}, hive_partitioning = false)`),
    );
    const [fault] = expected.map((columns) => differenceOf(columns, got));
    if (expected.every((columns) => differenceOf(columns, got) !== undefined)) faults.set(schema, fault ?? "");
  }
  return faults;
}

export function nullSql({ name, type }: NamedType): string {
  return `NULL::${type === "GEOMETRY" ? "BLOB" : type} AS ${quoteIdentifier(name)}`;
}

function differenceOf(expected: readonly string[], got: readonly string[]): string | undefined {
  const at = expected.findIndex((column, i) => column !== got[i]);
  if (at === -1 && got.length === expected.length) return undefined;
  const place = at === -1 ? expected.length : at;
  return `column ${place + 1} ${expectedGot(expected[place], got[place])}`;
}

function spell(columns: readonly { name: string; type: { toString(): string } }[]): string[] {
  return columns.map(({ name, type }) => `${name} ${type}`);
}
