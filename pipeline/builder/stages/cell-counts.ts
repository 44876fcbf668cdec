/**
 * Makes the slices of the run `count_cell` for a group of countries, from numbered rows.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import { type CellRow, cellFacetsOf, storedColumnsOf } from "../../../data/format/cell-levels.ts";
import { GEOHASH_BITS, SIZE_CLASS_BITS } from "../../../data/format/geohash.ts";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import { collectionIn, withComputed } from "../../../data/format/own-collections.ts";
import { quoteIdentifier } from "../../base/database/index.ts";
import type { DeriveTask } from "../plan/index.ts";
import { parseRow } from "../records/index.ts";
import { countryOfOrder, ORDER_COLUMN } from "../rows/index.ts";
import { createCellCounter, type DerivedSlices } from "../term-runs/index.ts";
import { type Numbering, numberedSql, readNumbering } from "./numbered-rows.ts";
import type { TaskContext } from "./row-files.ts";

/** Returns the slices for the countries of the task; undefined if they have no rows. */
export async function cellSlices(context: TaskContext, task: DeriveTask): Promise<DerivedSlices | undefined> {
  const [rows] = task.from;
  if (!rows) throw new Error(`${task.collection}: the ${task.run} run is made from no rows`);
  const numbering = await readNumbering(context.plan, rows);
  if (!numbering.buckets.some((bucket) => bucket.rows > 0)) return undefined;
  return slicesOf(context, task, numbering);
}

async function* slicesOf(
  { plan, database }: TaskContext,
  { collection: name }: DeriveTask,
  numbering: Numbering,
): DerivedSlices {
  const collection = collectionIn(plan, name);
  const facets = cellFacetsOf(collection);
  const columns = storedColumnsOf(collection).map(quoteIdentifier);
  const json =
    columns.length === 0
      ? "'{}'"
      : `to_json(struct_pack(${columns.map((each) => `${each} := ${each}`).join(", ")}))::VARCHAR`;
  const key = ORDER_COLUMN.location;
  const sql = `
    SELECT (${key} >> ${GEOHASH_BITS})::INTEGER, (${key} & ((1::BIGINT << ${GEOHASH_BITS}) - 1))::DOUBLE, ${json},
      _number::DOUBLE, bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax
    FROM ${numberedSql(plan, numbering)} ORDER BY ${key}, id`;
  let country: string | undefined;
  let counter = createCellCounter(facets);
  for await (const [groups = [], geohashes = [], texts = [], numbers = [], ...boxes] of database.stream(sql)) {
    for (const [index, group] of groups.entries()) {
      const own = countryOfOrder(Number(group));
      if (country !== undefined && own !== country) {
        yield* counter.slices(country);
        counter = createCellCounter(facets);
      }
      country = own;
      const sizeClass = Number(group) % SIZE_CLASS_BITS.length;
      const first = firstNumberOf(numbering.firstSegments.get(own) ?? 0);
      const bbox = boxes.map((edges) => Number(edges[index])) as unknown as BBox;
      counter.add({
        sizeClass,
        large: sizeClass === 0 ? undefined : { number: Number(numbers[index]) - first, bbox },
        geohash: Number(geohashes[index]),
        values: columns.length === 0 ? {} : (withComputed(collection, parseRow(String(texts[index]))) as CellRow),
      });
    }
  }
  if (country !== undefined) yield* counter.slices(country);
}
