/**
 * Rows of a search that ran in DuckDB as records, in the form of the engine's answers, and files of them.
 * @module
 */
import type { Table } from "apache-arrow";
import { joinBytes } from "../../../../data/format/bytes.ts";
import type { Collection, CollectionName } from "../../../../data/format/collections.ts";
import type { Json } from "../../../../data/format/json.ts";
import { NO_COUNTRY } from "../../../../data/format/manifest.ts";
import { collectionIn, type HasCollections, OWN_TERMS, withComputed } from "../../../../data/format/own-collections.ts";
import { EngineError, type Feature } from "../../../engine/index.ts";
import { ending, recordsIn, writerOf } from "../../../search/index.ts";
import { geometryOfWkb, rowOf } from "../own-files/index.ts";
import { DUCKDB_DISTANCE, type DuckdbExport, MOST_KEPT_ROWS } from "../protocol/index.ts";

/** Columns that are no properties, or are written in another form. */
const OWN_PLACE: ReadonlySet<string> = new Set([
  ...["id", "geometry", "bbox", "version", "country", "collection"],
  DUCKDB_DISTANCE,
]);

/**
 * Yields the records of a result of SQL. `only` is the collection of all rows; if undefined, the column `collection` names that
 * of each. Throws `EngineError` for a row without a geometry.
 */
export function* recordsOf(
  table: Table,
  { only, dataset }: { readonly only: CollectionName | undefined; readonly dataset: HasCollections },
): Generator<Feature, void, undefined> {
  const column = (name: string) => table.getChild(name);
  const [ids, geometries, distances] = ["id", "geometry", DUCKDB_DISTANCE].map(column);
  const [versions, countries, names] = ["version", "country", "collection"].map(column);
  for (let row = 0; row < table.numRows; row++) {
    const schema = collectionIn(dataset, only ?? String(names?.get(row)));
    const geometry = geometryOfWkb(geometries?.get(row));
    const id = String(ids?.get(row));
    if (!geometry) throw new EngineError(`row ${id} of DuckDB has no geometry, expected WKB`);
    const distance: unknown = distances?.get(row);
    const version: unknown = versions?.get(row);
    const properties: Record<string, Json> = {
      id,
      theme: schema.theme,
      type: schema.type,
      ...(version === null || version === undefined ? {} : { version: String(version) }),
      ...countryOf(schema, String(countries?.get(row))),
      ...withoutTerms(withComputed(schema, rowOf(table, row, OWN_PLACE))),
      ...(typeof distance === "number" ? { ext_distance: distance } : {}),
    };
    yield { id, type: "Feature", geometry, properties };
  }
}

/** A record does not declare an unknown country. */
function countryOf({ countryRule }: Collection, country: string): Readonly<Record<string, Json>> {
  return { [countryRule === "declared" && country !== NO_COUNTRY ? "country" : "ext_country"]: country };
}

function withoutTerms({ [OWN_TERMS]: _, ...row }: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  return row;
}

/** Returns all records of the chunks as a file in the format of an export. Throws `EngineError` above `MOST_KEPT_ROWS` rows. */
export async function writeRecords(
  chunks: Iterable<Table>,
  { path, only, format, credit }: Omit<DuckdbExport, "sql">,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = await writerOf(path, { format, properties: undefined, hasGeometry: true }, credit);
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let rows = 0;
  const add = (piece: string | Uint8Array) => {
    // a writer reuses its bytes
    if (piece.length > 0) parts.push(typeof piece === "string" ? encoder.encode(piece) : piece.slice());
  };
  add(writer.open);
  for (const chunk of chunks) {
    if (rows + chunk.numRows > MOST_KEPT_ROWS) {
      throw new EngineError(`the search has more than ${MOST_KEPT_ROWS} rows, the most that are saved from DuckDB`);
    }
    const features = [...recordsOf(chunk, { only, dataset: credit })];
    for (const piece of writer.page(recordsIn(features))) {
      if (rows++ > 0) add(writer.separator);
      add(piece);
    }
  }
  add(ending(writer));
  return joinBytes(parts).slice();
}
