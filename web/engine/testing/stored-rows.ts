import { readdir } from "node:fs/promises";
import type { CollectionName } from "../../../data/format/collections.ts";
import { readParquetRows } from "./read-parquet.ts";

/**
 * Returns all rows of a collection of the dataset in the folder, each with the country of its folder. `Row` lists the
 * columns used.
 */
export async function readStoredRows<Row>(
  folder: string,
  collection: CollectionName,
): Promise<(Row & { readonly country: string })[]> {
  const names = await readdir(`${folder}/${collection}`, { recursive: true });
  const files = names.filter((name) => /^country=..\/geohash=.*\.parquet$/.test(name));
  const read = await Promise.all(
    files.map(async (name) => {
      const records = await readParquetRows(`${folder}/${collection}/${name}`);
      return records.map((record) => ({ ...record, country: name.slice(8, 10) }) as Row & { readonly country: string });
    }),
  );
  return read.flat();
}
