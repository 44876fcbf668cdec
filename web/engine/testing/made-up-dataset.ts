/**
 * Small datasets made of rows that a test thinks up, as Parquet files in memory.
 * @module
 */
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { COLLECTIONS, type CollectionName } from "../../../data/format/collections.ts";
import { encodeGeohash } from "../../../data/format/geohash.ts";
import { bboxOf, type Geometry, positionsOf } from "../../../data/format/geometry.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { FORMAT_VERSION, type IndexNode, isPage, type Manifest, type RunName } from "../../../data/format/manifest.ts";
import { pagePath, partitionPath, shapePath } from "../../../data/format/paths.ts";
import { writeTwkb } from "../../../data/format/twkb.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";

/** A row to store. `values` are SQL expressions of other columns. */
export interface MadeUpRow {
  readonly id: string;
  readonly geometry: Geometry;
  readonly country?: string;
  readonly values?: Readonly<Record<string, string>>;
}

export interface MadeUpOptions {
  readonly release?: string;
  readonly rowsPerPartition?: number;
  /** Whether the location run has the rows as they are given, not by geohash. */
  readonly keepOrder?: boolean;
  /** Whether partitions of the location run have shapes, however small. */
  readonly withShapes?: boolean;
  /** Nodes of a page, and of the manifest; without it the index has no pages. */
  readonly nodesPerPage?: number;
}

/** Rows of one statement: DuckDB plans small ones quicker. */
const INSERT_ROWS = 50;

/** The files of a dataset by path, `manifest.json` among them. */
export async function makeDataset(
  collections: Readonly<Partial<Record<CollectionName, readonly MadeUpRow[]>>>,
  options: MadeUpOptions = {},
): Promise<Map<string, Uint8Array>> {
  const { release = "made-up", rowsPerPartition = 32, keepOrder = false, withShapes = false, nodesPerPage } = options;
  const files = new Map<string, Uint8Array>();
  const folder = await mkdtemp(join(tmpdir(), "cairn-"));
  const database = await DuckDBInstance.create();
  const connection = await database.connect();
  const manifest: Manifest["collections"] = {};

  async function addRows(collection: CollectionName, rows: readonly MadeUpRow[]): Promise<void> {
    const columns = COLLECTIONS[collection].columns.map(({ name, type }) => `"${name}" ${sqlTypeOf(type)}`);
    await connection.run(`CREATE OR REPLACE TABLE rows (${columns.join(", ")})`);
    for (let start = 0; start < rows.length; start += INSERT_ROWS) {
      const selects = rows.slice(start, start + INSERT_ROWS).map((row) => `SELECT ${columnsOf(row)}`);
      await connection.run(`INSERT INTO rows BY NAME ${selects.join(" UNION ALL BY NAME ")}`);
    }
  }

  async function addPartition(collection: CollectionName, run: RunName, rows: readonly MadeUpRow[], start: number) {
    const path = join(folder, "rows.parquet");
    const order = `[${rows.map(({ id }) => quote(id)).join(", ")}]`;
    const select = `SELECT * FROM rows WHERE id IN ${order} ORDER BY list_position(${order}, id)`;
    await connection.run(`COPY (${select}) TO '${path}'`);
    const bytes = new Uint8Array(await readFile(path));
    const sha256 = hashOf(bytes);
    const country = countryOf(rows[0]);
    const bbox = bboxUnion(rows.map((row) => boxOf(row)));
    const common = { sha256, bytes: bytes.length, rows: rows.length, bbox, country };
    const node =
      run === "location"
        ? { ...common, geohash: "-", ...(withShapes ? { shape: await addShape(collection, rows) } : {}) }
        : { ...common, first_id: rows[0]?.id ?? "", last_id: rows.at(-1)?.id ?? "", start };
    files.set(partitionPath(collection, run, node), bytes);
    return node;
  }

  async function addShape(collection: CollectionName, rows: readonly MadeUpRow[]) {
    const path = join(folder, "shape.parquet");
    const values = rows.map(({ geometry }, row) => `(${row}, ${blobOf(writeTwkb(geometry) ?? writeWkb(geometry))})`);
    await connection.run(
      `COPY (SELECT geometry FROM (VALUES ${values.join(", ")}) shapes(row, geometry) ORDER BY row) TO '${path}'`,
    );
    const bytes = new Uint8Array(await readFile(path));
    const sha256 = hashOf(bytes);
    files.set(shapePath(collection, countryOf(rows[0]), sha256), bytes);
    return { sha256, bytes: bytes.length };
  }

  async function addRun(collection: CollectionName, run: RunName, rows: readonly MadeUpRow[]) {
    const nodes: IndexNode[] = [];
    const countries = [...new Set(rows.map(countryOf))].sort();
    for (const country of countries) {
      const own = rows.filter((row) => countryOf(row) === country);
      for (let start = 0; start < own.length; start += rowsPerPartition) {
        nodes.push(await addPartition(collection, run, own.slice(start, start + rowsPerPartition), start));
      }
    }
    const partitions = nodes.length;
    const bytes = nodes.reduce((sum, node) => sum + node.bytes, 0);
    return { partitions, bytes, nodes: nodesPerPage ? addPages(collection, nodes, nodesPerPage) : nodes };
  }

  function addPages(collection: CollectionName, nodes: readonly IndexNode[], size: number): IndexNode[] {
    if (nodes.length <= size) return [...nodes];
    const pages = Array.from({ length: Math.ceil(nodes.length / size) }, (_, index) => {
      const children = nodes.slice(index * size, (index + 1) * size);
      const bytes = new TextEncoder().encode(JSON.stringify(children));
      const sha256 = hashOf(bytes);
      files.set(pagePath(collection, sha256), bytes);
      const first = keyOf(children[0], "first");
      const last = keyOf(children.at(-1), "last");
      return {
        sha256,
        bytes: bytes.length,
        rows: children.reduce((sum, node) => sum + node.rows, 0),
        bbox: bboxUnion(children.map(({ bbox }) => bbox)),
        partitions: children.reduce((sum, node) => sum + (isPage(node) ? node.partitions : 1), 0),
        ...(first && last ? { first, last } : {}),
      };
    });
    return addPages(collection, pages, size);
  }

  try {
    for (const [name, rows] of Object.entries(collections)) {
      const collection = name as CollectionName;
      const byId = rows.toSorted((a, b) => compareIds(a.id, b.id));
      const byPlace = keepOrder ? rows : byId.toSorted((a, b) => geohashOf(a) - geohashOf(b));
      const countries = [...new Set(rows.map(countryOf))].sort();
      await addRows(collection, rows);
      manifest[collection] = {
        rows: rows.length,
        bbox: bboxUnion(rows.map((row) => boxOf(row))),
        countries: Object.fromEntries(
          countries.map((country) => [country, rows.filter((row) => countryOf(row) === country).length]),
        ),
        ignored_columns: [],
        runs: { location: await addRun(collection, "location", byPlace), id: await addRun(collection, "id", byId) },
      };
    }
  } finally {
    connection.closeSync();
    database.closeSync();
    await rm(folder, { recursive: true });
  }
  const whole: Manifest = {
    format: "cairn",
    format_version: FORMAT_VERSION,
    release,
    attribution: [],
    rejects: { rows: 0, bytes: 0, sha256: hashOf(new Uint8Array()), reasons: {} },
    collections: manifest,
  };
  files.set("manifest.json", new TextEncoder().encode(JSON.stringify(whole)));
  return files;
}

function columnsOf({ id, geometry, values = {} }: MadeUpRow): string {
  const [west, south, east, north] = bboxOf(geometry) ?? [0, 0, 0, 0];
  const own: Record<string, string> = {
    id: quote(id),
    geometry: blobOf(writeWkb(geometry)),
    bbox: `{xmin: ${west}::DOUBLE, xmax: ${east}::DOUBLE, ymin: ${south}::DOUBLE, ymax: ${north}::DOUBLE}`,
    version: "1",
    ...values,
  };
  return Object.entries(own)
    .map(([name, value]) => `${value} AS "${name}"`)
    .join(", ");
}

function sqlTypeOf(type: string): string {
  return type === "GEOMETRY" ? "BLOB" : type;
}

function blobOf(bytes: Uint8Array): string {
  return `unhex('${Buffer.from(bytes).toString("hex")}')`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function countryOf(row: MadeUpRow | undefined): string {
  return row?.country ?? "ZZ";
}

function boxOf({ geometry }: MadeUpRow): BBox {
  return bboxOf(geometry) ?? [0, 0, 0, 0];
}

function geohashOf({ geometry }: MadeUpRow): number {
  const [position] = positionsOf(geometry);
  return encodeGeohash(position?.[0] ?? 0, position?.[1] ?? 0);
}

function keyOf(node: IndexNode | undefined, end: "first" | "last"): [string, string] | undefined {
  if (!node) return undefined;
  if (isPage(node)) return node[end];
  const id = end === "first" ? node.first_id : node.last_id;
  return id === undefined ? undefined : [node.country, id];
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
