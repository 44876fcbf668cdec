/**
 * Reads the rows of a user's file one at a time: of tables in memory, and of OpenStreetMap files that are larger than
 * the memory.
 * @module
 */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { Geometry } from "../../../data/format/geometry.ts";
import type { Attribution } from "../../../data/format/manifest.ts";
import type { Role } from "../../../data/format/own-schema.ts";
import {
  isGeometry,
  OSM_ATTRIBUTION,
  openOsm,
  openOsmRows,
  type ReadOptions,
  readTable,
  type Table,
  type TableColumn,
} from "../../../data/tables/index.ts";
import { CodedError } from "../../base/errors/index.ts";

export interface SourceRow {
  readonly line: number;
  /** Only in formats with their own ids. */
  readonly id?: string | undefined;
  /** Null for a row without coordinates. */
  readonly geometry: Geometry | null;
  readonly values: readonly unknown[];
}

export interface SourceReject {
  readonly line: number;
  readonly id?: string | undefined;
  readonly reason: string;
  readonly detail: string;
}

/** A table whose rows are read one after the other. */
export interface RowSource {
  readonly format: string;
  readonly crs: string;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly geometryFrom: readonly string[];
  readonly columns: readonly TableColumn[];
  /** Roles of columns, if the format defines them. Otherwise they are found by the names of the columns. */
  readonly roles?: ReadonlyMap<string, Role> | undefined;
  /** What the ids are, in formats with their own ids. */
  readonly idName?: string | undefined;
  /** Credits that the format requires. */
  readonly attribution: readonly Attribution[];
  readonly notes: readonly string[];
  /** Yields all rows and rejects. Each call begins again. */
  rows(): AsyncIterable<SourceRow | SourceReject>;
  close(): Promise<void>;
}

/** Returns whether the row was rejected. */
export function isReject(row: SourceRow | SourceReject): row is SourceReject {
  return "reason" in row;
}

/** Unpacked bytes at most: the OpenStreetMap XML of a country. Larger extracts come as PBF. */
const MAX_UNPACKED_BYTES = 64 * 2 ** 30;

/**
 * Opens a file of any supported format, also in gzip, which is unpacked to a temporary file. The caller must close it.
 * Throws `TableError` if the file has no table that can be read.
 */
export async function openRows(path: string, options: ReadOptions): Promise<RowSource> {
  const isPacked = await startsWith(path, [0x1f, 0x8b]);
  if (!isPacked) return openFile(path, path, options);
  const folder = await mkdtemp(join(tmpdir(), "cairn-gzip-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const unpacked = join(folder, "unpacked");
    await unpackGzip(path, unpacked);
    const source = await openFile(unpacked, path.replace(/\.gz$/i, ""), options);
    return { ...source, close: () => source.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function startsWith(path: string, wanted: readonly number[]): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(wanted.length), 0, wanted.length, 0);
    return bytesRead === wanted.length && wanted.every((byte, at) => buffer[at] === byte);
  } finally {
    await file.close();
  }
}

/** Unpacks to a file, so that an extract needs no more memory than without gzip. */
async function unpackGzip(path: string, out: string): Promise<void> {
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes <= MAX_UNPACKED_BYTES) done(null, chunk);
      else done(new CodedError("CAIRN_E_SOURCE", `${path}: unpacks to more than ${MAX_UNPACKED_BYTES} bytes`));
    },
  });
  try {
    await pipeline(createReadStream(path), createGunzip(), bounded, createWriteStream(out));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!/^Z_/.test(code)) throw error;
    throw new CodedError("CAIRN_E_SOURCE", `${path}: the gzip data is damaged or cut: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function openFile(path: string, name: string, options: ReadOptions): Promise<RowSource> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (start: number, end: number): Promise<Uint8Array> => {
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
      if (bytesRead < bytes.length)
        throw new CodedError("CAIRN_E_SOURCE", `${name}: ends at byte ${start + bytesRead}, was it replaced?`);
      return bytes;
    };
    const osm = await openOsm({ byteLength: size, read });
    if (osm) return await osmSource(osm, () => file.close());
    const table = options.allowNoGeometry
      ? await readTable(name, await readFile(path), { ...options, allowNoGeometry: true })
      : await readTable(name, await readFile(path), options);
    await file.close();
    return tableSource(table);
  } catch (error) {
    await file.close();
    throw error;
  }
}

function tableSource(table: Table<Geometry | null>): RowSource {
  const { format, crs, encoding, delimiter, geometryFrom, columns, notes, rows, rejects } = table;
  return {
    ...{ format, crs, encoding, delimiter, geometryFrom, columns, notes },
    attribution: [],
    async *rows() {
      yield* rejects;
      yield* rows;
    },
    close: async () => undefined,
  };
}

type OsmFile = NonNullable<Awaited<ReturnType<typeof openOsm>>>;

async function osmSource(file: OsmFile, close: () => Promise<void>): Promise<RowSource> {
  const { format, columns, notes, rows } = await openOsmRows(file);
  return {
    format,
    crs: "EPSG:4326",
    geometryFrom: ["nodes, ways and relations"],
    columns,
    roles: new Map(columns.flatMap(({ name, role }) => (role ? [[name, role] as const] : []))),
    idName: "OpenStreetMap's type and number",
    attribution: [OSM_ATTRIBUTION],
    notes,
    async *rows() {
      let line = 0;
      for await (const { id, geometry, values } of rows()) {
        line++;
        if (isGeometry(geometry)) yield { line, id, geometry, values };
        else yield { line, id, reason: geometry.reason, detail: `${id}: ${geometry.detail}` };
      }
    },
    close,
  };
}
