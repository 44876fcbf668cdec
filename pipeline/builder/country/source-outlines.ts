import { readFile } from "node:fs/promises";
import { COLLECTIONS } from "../../../data/format/collections.ts";
import { readWkb } from "../../../data/format/geometry.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import type { Database } from "../../base/database/index.ts";
import { type HashedFile, writeHashed } from "../../base/disk/index.ts";
import { type CountryOutline, packageOutlines } from "../../overture/borders/index.ts";
import { figuresOf, type LocateCountry } from "../rows/index.ts";
import { type NormalisedSource, openSource, type PlannedSource } from "../sources/index.ts";
import { locateCountry } from "./locate.ts";

/**
 * Writes the outlines of countries in `division_area` sources to a file in the folder `work`, and returns its path and
 * hash. A line has the code of a country, a space, and the outline's WKB in base64.
 */
export async function writeOutlines(
  database: Database,
  sources: readonly PlannedSource[],
  work: string,
): Promise<HashedFile> {
  const lines: string[] = [];
  for (const outline of await readSourceOutlines(database, sources, (source) =>
    openSource(database, source, COLLECTIONS.division_area),
  )) {
    lines.push(`${outline.code} ${Buffer.from(writeWkb(outline.geometry)).toString("base64")}\n`);
  }
  return writeHashed(work, ["outlines", "txt"], lines.join(""));
}

/** Returns the function that finds the country of a row. The first call reads the outlines. */
export type Locator = () => Promise<LocateCountry>;

/** Returns a locator for the outlines in a file of `writeOutlines`. Its first call reads the file. */
export function createLocator(path: string): Locator {
  let locator: LocateCountry | undefined;
  return async () => {
    locator ??= await readLocator(path);
    return locator;
  };
}

async function readLocator(path: string): Promise<LocateCountry> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const outlines = lines.map((line): CountryOutline => {
    const [code = "", wkb = ""] = line.split(" ");
    return { code, geometry: readWkb(Buffer.from(wkb, "base64")) };
  });
  return locateCountry(outlines, packageOutlines());
}

interface Row {
  readonly id: string;
  readonly version: number;
  readonly code: string;
  readonly wkb: Uint8Array;
}

/**
 * Returns the outlines of countries and dependencies in `division_area` sources, of each id the row with the highest
 * version. Leaves out invalid geometries, and sources without the needed columns.
 */
export async function readSourceOutlines(
  database: Database,
  sources: readonly PlannedSource[],
  open: (source: PlannedSource) => Promise<NormalisedSource>,
): Promise<CountryOutline[]> {
  const kept = new Map<string, Row>();
  for (const source of sources) {
    for (const row of await readRows(database, await open(source))) {
      const other = kept.get(row.id);
      if (!other || row.version > other.version) kept.set(row.id, row);
    }
  }
  return [...kept.values()].map(({ code, wkb }) => ({ code, geometry: readWkb(wkb) }));
}

async function readRows(database: Database, { relation, columns }: NormalisedSource): Promise<Row[]> {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  if (!["id", "geometry", "subtype", "country"].every(has)) return [];
  const rows = await database.rows<Row>(`
    SELECT id::VARCHAR AS id, ${has("version") ? "coalesce(TRY_CAST(version AS INTEGER), 0)" : "0"} AS version,
      upper(country::VARCHAR) AS code, geometry AS wkb
    FROM (${relation})
    WHERE subtype IN ('country', 'dependency') AND regexp_full_match(country::VARCHAR, '[A-Za-z]{2}')
      ${has("is_territorial") ? "AND coalesce(is_territorial, true)" : ""}
    ORDER BY _row`);
  return rows.filter(({ wkb }) => !("reason" in figuresOf(wkb)));
}
