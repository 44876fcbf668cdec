/** Digests of rows' JSON and geometries, for comparison. @module */

import { createHash } from "node:crypto";
import { BLOB, type DuckDBScalarFunction, STRUCT, UBIGINT, VARCHAR } from "@duckdb/node-api";
import { cellFacetsOf } from "../../../data/format/cell-levels.ts";
import { FINE_POINT, writeShort } from "../../../data/format/fine-point.ts";
import { GEOMETRY_CODES, readWkb } from "../../../data/format/geometry.ts";
import { isPartTable } from "../../../data/format/geometry-parts.ts";
import type { Manifest } from "../../../data/format/manifest.ts";
import { collectionIn, withComputed } from "../../../data/format/own-collections.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import { endTermsOf, storedTerms, type TermColumns } from "../../../data/format/terms.ts";
import { createPathReader } from "../../../data/format/wkb-paths.ts";
import { sqlFunction } from "../../base/database/index.ts";

/** 64 bits of a SHA-256. */
function digestOf(...parts: readonly (string | Uint8Array)[]): bigint {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest().readBigUInt64LE(0);
}

/** Returns canonical JSON: without null members, members sorted. */
function spellJson(value: unknown): string {
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

/** Returns the digest of a JSON value. */
export function digestJson(value: unknown): bigint {
  return digestOf(spellJson(value));
}

/**
 * Returns the same digest for WKB and TWKB of the same geometry, if all coordinates are exactly equal. Throws if
 * unreadable.
 */
export function digestGeometry(bytes: Uint8Array): bigint {
  const parts: Uint8Array[] = [Uint8Array.of(kindOf(bytes))];
  createPathReader((kind, coordinates, count) => {
    parts.push(new TextEncoder().encode(`${kind} ${count}`));
    parts.push(new Uint8Array(coordinates.slice(0, 2 * count).buffer));
  })(bytes);
  return digestOf(...parts);
}

/** Returns the digest of the table of a long geometry, null for another one. */
export function digestTable(stored: Uint8Array): bigint | null {
  return isPartTable(stored) ? digestOf(stored) : null;
}

/** Type code, the same for all encodings. */
function kindOf(bytes: Uint8Array): number {
  if (isWkb(bytes)) return bytes[1] ?? 0;
  return bytes[0] === FINE_POINT ? GEOMETRY_CODES.Point : (bytes[0] ?? 0) & 0x0f;
}

function isWkb([order = 0]: Uint8Array): boolean {
  return order <= 1;
}

/** Returns true if the bytes are WKB although a shorter encoding represents every coordinate exactly. */
export function isNeedlessWkb(bytes: Uint8Array): boolean {
  return isWkb(bytes) && writeShort(readWkb(bytes)) !== undefined;
}

export const SEPARATOR = "\u001f";

/**
 * Returns the SQL functions `row_facts`, `geometry_digest`, `end_term`, `json_digest` and `middle_of`, for the checks
 * of rows.
 */
export function rowFunctions(manifest: Manifest): DuckDBScalarFunction[] {
  return [
    // of a row's columns and the name of its collection: a digest of the columns, and terms and values of facets joined by a separator
    sqlFunction(
      "row_facts",
      [VARCHAR, VARCHAR],
      STRUCT({ content: UBIGINT, terms: VARCHAR, cells: VARCHAR }),
      (json, name) => {
        const columns = JSON.parse(json ?? "");
        const collection = collectionIn(manifest, name ?? "");
        const all = withComputed(collection, columns) as TermColumns;
        const cells = cellFacetsOf(collection).flatMap((facet) =>
          Array.from(facet.valuesOf(all), (value) => `${facet.name} ${value}`),
        );
        return [digestJson(columns), storedTerms(all).join(SEPARATOR), cells.join(SEPARATOR)];
      },
    ),
    sqlFunction("geometry_digest", [BLOB], UBIGINT, digestOrNull),
    // The end term of a name's word; null if it has none.
    sqlFunction("end_term", [VARCHAR], VARCHAR, (term) => endTermsOf([term ?? ""])[0] ?? null),
    sqlFunction("json_digest", [VARCHAR], UBIGINT, (json) => digestJson(JSON.parse(json ?? ""))),
    // The representative point as JSON, longitude first.
    sqlFunction("middle_of", [BLOB], VARCHAR, (wkb) => wkb && JSON.stringify(representativePoint(readWkb(wkb)))),
  ];
}

/** Null if the bytes are not a geometry. */
function digestOrNull(bytes: Uint8Array | null): bigint | null {
  try {
    return bytes && digestGeometry(bytes);
  } catch {
    return null;
  }
}
