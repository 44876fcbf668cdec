/** What rows are compared by: digests of their JSON and of their geometries. @module */
import { createHash } from "node:crypto";
import {
  BLOB,
  type DuckDBBlobVector,
  DuckDBScalarFunction,
  type DuckDBStructVector,
  STRUCT,
  UBIGINT,
  VARCHAR,
} from "@duckdb/node-api";
import { readWkb } from "../../data/format/geometry.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import { storedTerms, type TermColumns } from "../../data/format/terms.ts";
import { writeTwkb } from "../../data/format/twkb.ts";
import { createPathReader } from "../../data/format/wkb-paths.ts";

/** 64 bits of a SHA-256. */
export function digestOf(...parts: readonly (string | Uint8Array)[]): bigint {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest().readBigUInt64LE(0);
}

/** The value without null members and with members in order: equal texts are equal JSON. */
export function spellJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, inOrder(member)]),
  );
}

export function digestJson(value: unknown): bigint {
  return digestOf(spellJson(value));
}

/** The same for WKB and TWKB of the same geometry, to the bit of each coordinate. Throws when they cannot be read. */
export function digestGeometry(bytes: Uint8Array): bigint {
  const parts: Uint8Array[] = [Uint8Array.of(kindOf(bytes))];
  createPathReader((kind, coordinates, count) => {
    parts.push(new TextEncoder().encode(`${kind} ${count}`));
    parts.push(new Uint8Array(coordinates.slice(0, 2 * count).buffer));
  })(bytes);
  return digestOf(...parts);
}

/** Code of the kind, the same in WKB and TWKB. */
function kindOf(bytes: Uint8Array): number {
  return isWkb(bytes) ? (bytes[1] ?? 0) : (bytes[0] ?? 0) & 0x0f;
}

function isWkb([order = 0]: Uint8Array): boolean {
  return order <= 1;
}

/** Whether the bytes are WKB where TWKB holds every coordinate to the bit. */
export function isNeedlessWkb(bytes: Uint8Array): boolean {
  return isWkb(bytes) && writeTwkb(readWkb(bytes)) !== undefined;
}

export const SEPARATOR = "\u001f";

const FACTS = { content: UBIGINT, terms: VARCHAR };

/** `row_facts(json)`: digest of a row's columns, and its terms joined by a separator. */
export function rowFacts(): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: "row_facts",
    returnType: STRUCT(FACTS),
    parameterTypes: [VARCHAR],
    mainFunction: (_info, chunk, output) => {
      const rows = chunk.getColumnVector(0);
      const struct = output as DuckDBStructVector;
      for (let row = 0; row < chunk.rowCount; row++) {
        const columns = JSON.parse(String(rows.getItem(row))) as TermColumns;
        struct.setItemValue(row, 0, digestJson(columns));
        struct.setItemValue(row, 1, storedTerms(columns).join(SEPARATOR));
      }
      struct.flush();
    },
  });
}

/** `geometry_digest(wkb)`: null where the bytes are no geometry. */
export function geometryDigest(): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: "geometry_digest",
    returnType: UBIGINT,
    parameterTypes: [BLOB],
    specialHandling: true,
    mainFunction: (_info, chunk, output) => {
      const geometries = chunk.getColumnVector(0) as DuckDBBlobVector;
      for (let row = 0; row < chunk.rowCount; row++) {
        output.setItem(row, digestOrNull(geometries.getItemBytes(row)));
      }
      output.flush();
    },
  });
}

function digestOrNull(bytes: Uint8Array | null): bigint | null {
  try {
    return bytes && digestGeometry(bytes);
  } catch {
    return null;
  }
}

/** `json_digest(text)`. */
export function jsonDigest(): DuckDBScalarFunction {
  return ofText("json_digest", UBIGINT, (text) => digestJson(JSON.parse(text)));
}

/** A function of texts by this name. */
export function ofText(
  name: string,
  returnType: typeof UBIGINT | typeof VARCHAR,
  work: (text: string) => bigint | string | null,
): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name,
    returnType,
    parameterTypes: [VARCHAR],
    mainFunction: (_info, chunk, output) => {
      const texts = chunk.getColumnVector(0);
      for (let row = 0; row < chunk.rowCount; row++) output.setItem(row, work(String(texts.getItem(row))));
      output.flush();
    },
  });
}

/** `middle_of(wkb)`: the representative point as JSON, longitude first. */
export function middleOf(): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: "middle_of",
    returnType: VARCHAR,
    parameterTypes: [BLOB],
    mainFunction: (_info, chunk, output) => {
      const geometries = chunk.getColumnVector(0) as DuckDBBlobVector;
      for (let row = 0; row < chunk.rowCount; row++) {
        const wkb = geometries.getItemBytes(row);
        output.setItem(row, wkb && JSON.stringify(representativePoint(readWkb(wkb))));
      }
      output.flush();
    },
  });
}
