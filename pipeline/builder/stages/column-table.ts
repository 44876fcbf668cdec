/**
 * Sorts the rows of a collection by the values of a facet, for a column table.
 * @module
 */
import { type TableFacet, tableFileColumns } from "../../../data/format/column-tables.ts";
import { GEOHASH_BITS, SIZE_CLASS_BITS } from "../../../data/format/geohash.ts";
import type { TableNode } from "../../../data/format/manifest.ts";
import { countRows, quoteIdentifier, quoteLiteral } from "../../base/database/index.ts";
import { type TableUnit, writeColumnTable } from "../partitions/index.ts";
import type { DeriveTask } from "../plan/index.ts";
import { countryOfOrder, ORDER_COLUMN } from "../rows/index.ts";
import { numberedSql, readNumbering } from "./numbered-rows.ts";
import type { TaskContext } from "./row-files.ts";

const SORTED = "sorted";

/** SQL of the values that rows are stored for, as `facetValues` of `data/format/terms.ts`. */
const VALUES: Readonly<Record<TableFacet, string>> = {
  category: `list_concat([categories."primary"], coalesce(categories.alternate, []))`,
  class: `["class"]`,
  subtype: "[subtype]",
};

/**
 * Writes the files of a column table for the task's share of the values. Returns their index nodes, in order. Empty if
 * no row has a value.
 */
export async function columnTable(
  { plan, database, folder }: TaskContext,
  { collection, from, table, share, shares, packBytes }: DeriveTask,
): Promise<readonly TableNode[]> {
  const [rows] = from;
  if (!rows || !table) throw new Error(`${collection}: a column table of no rows`);
  const numbering = await readNumbering(plan, rows);
  if (!numbering.buckets.some((bucket) => bucket.rows > 0)) return [];
  const { facet } = table;
  // order keys start with the number of the country
  const nation = `((${ORDER_COLUMN.location} >> ${GEOHASH_BITS}) // ${SIZE_CLASS_BITS.length})::INTEGER`;
  const source = `(SELECT *, ${nation} AS _nation, unnest(list_distinct(${VALUES[facet]})) AS _value FROM ${numberedSql(plan, numbering)})`;
  const counted = await database.rows<{ value: string; nation: number; rows: number }>(`
    SELECT _value AS value, _nation AS nation, count(*) AS rows FROM ${source} WHERE _value <> '' GROUP BY ALL ORDER BY ALL`);
  const units = unitsOfShare(
    counted.map(({ value, nation: number, rows: count }) => ({
      value,
      country: countryOfOrder(number * SIZE_CLASS_BITS.length),
      rows: count,
    })),
    { share, shares },
  );
  const [first, last] = [units[0], units.at(-1)];
  if (!first || !last) return [];
  const columns = tableFileColumns(table).map((name) => {
    if (name === facet) return `_value AS ${quoteIdentifier(name)}`;
    return name === "country" ? "chr(65 + _nation // 26) || chr(65 + _nation % 26) AS country" : quoteIdentifier(name);
  });
  await database.run(`
    CREATE TABLE ${SORTED} AS SELECT ${columns.join(", ")} FROM ${source}
    WHERE _value >= ${quoteLiteral(first.value)} AND _value <= ${quoteLiteral(last.value)} ORDER BY _value, _nation, id`);
  const [found, expected] = [await countRows(database, SORTED), units.reduce((sum, unit) => sum + unit.rows, 0)];
  if (found !== expected) throw new Error(`${collection}: the table has ${found} rows, expected ${expected}`);
  const into = { collection, facet, table: SORTED, folder, level: plan.level, packBytes };
  return writeColumnTable(database, into, units);
}

/** The units of consecutive values with about the same number of rows as every other share. Units are in order. */
function unitsOfShare(
  units: readonly TableUnit[],
  { share, shares }: { readonly share: number; readonly shares: number },
): TableUnit[] {
  const total = units.reduce((sum, { rows }) => sum + rows, 0);
  const mine: TableUnit[] = [];
  let [before, value, shareOfValue] = [0, "", 0];
  for (const unit of units) {
    // all rows of a value are in one share
    if (unit.value !== value) [value, shareOfValue] = [unit.value, Math.floor((before * shares) / total)];
    if (shareOfValue === share) mine.push(unit);
    before += unit.rows;
  }
  return mine;
}
