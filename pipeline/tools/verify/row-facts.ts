/**
 * Digests of the columns and geometries of rows, to compare rows of different runs.
 * @module
 */

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

/** Returns the first 64 bits of a SHA-256. */
function digestOf(...parts: readonly (string | Uint8Array)[]): bigint {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest().readBigUInt64LE(0);
}

/** Returns JSON without null members, and with members sorted by name. */
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

/** Returns a digest of a JSON value. The order of members and members that are null do not count. */
export function digestJson(value: unknown): bigint {
  return digestOf(spellJson(value));
}

/**
 * Returns a digest of a geometry in any stored encoding (WKB, TWKB). Equal types and exactly equal coordinates give
 * equal digests. Throws if the bytes are unreadable.
 */
export function digestGeometry(bytes: Uint8Array): bigint {
  const parts: Uint8Array[] = [Uint8Array.of(kindOf(bytes))];
  createPathReader((kind, coordinates, count) => {
    parts.push(new TextEncoder().encode(`${kind} ${count}`));
    parts.push(new Uint8Array(coordinates.slice(0, 2 * count).buffer));
  })(bytes);
  return digestOf(...parts);
}

/** Returns a digest of the table of parts of a long geometry; null for a geometry that is stored whole. */
export function digestTable(stored: Uint8Array): bigint | null {
  return isPartTable(stored) ? digestOf(stored) : null;
}

/** Returns the type code of the geometry, the same for all encodings. */
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

/** Character between the values in results of `row_facts`. */
export const SEPARATOR = "\u001f";

/**
 * Returns SQL functions for the checks of rows: `row_facts` (digest, terms and values of facets), `geometry_digest`,
 * `end_term`, `json_digest`, and `middle_of` (representative point).
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

/** Returns the digest of a geometry; null if the bytes are not a geometry. */
function digestOrNull(bytes: Uint8Array | null): bigint | null {
  try {
    return bytes && digestGeometry(bytes);
  } catch {
    return null;
  }
}
