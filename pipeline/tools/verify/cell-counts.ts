/**
 * Checks the counts per cell of the run `count_cell`: SQL counts the rows again.
 * @module
 */
import { bboxUnion } from "../../../data/format/bbox.ts";
import {
  type CellCounts,
  FINE_BITS,
  hasFigures,
  readCellCounts,
  termsOfCells,
} from "../../../data/format/cell-counts.ts";
import { cellBox, cellTerm, levelsOf, listsRows, TOTAL } from "../../../data/format/cell-levels.ts";
import { GEOHASH_BITS, SIZE_CLASS_BITS } from "../../../data/format/geohash.ts";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { appendRow, type Database, quoteLiteral } from "../../base/database/index.ts";
import { NUMBERED_TABLE } from "./id-table.ts";
import { checksOf } from "./ledger.ts";
import { ROWS_TABLE } from "./row-table.ts";
import { nameSlice } from "./slice-table.ts";
import { expectNone, openSlice, type Verified } from "./verified.ts";

/**
 * Tables of stored and of expected counts. A line is for a cell and value, or for one row of a cell and value
 * (`ordinal` from 0; otherwise -1).
 */
const [FOUND, EXPECTED] = ["found_cells", "expected_cells"];
const COLUMNS =
  "country VARCHAR, facet VARCHAR, bits INTEGER, class INTEGER, cell BIGINT, ordinal INTEGER, value VARCHAR, rows BIGINT";

/** Geohash bits of the cells whose common box is the box of a country's slices. */
const BOX_BITS = 20;
const BOXES = "expected_cell_boxes";

/** Creates the empty tables of stored and of expected counts. */
export async function emptyCells(database: Database): Promise<void> {
  for (const table of [FOUND, EXPECTED]) await database.run(`CREATE OR REPLACE TABLE ${table} (${COLUMNS})`);
  await database.run(`CREATE OR REPLACE TABLE ${BOXES} (country VARCHAR, cell BIGINT)`);
}

/** Adds the counts per cell of the rows of these countries to the expected counts. */
export async function reportCells({ database }: Verified, countries: ReadonlySet<string>): Promise<void> {
  if (countries.size === 0) return;
  const within = `country IN (${[...countries].map(quoteLiteral).join(", ")})`;
  const cellOf = (bits: number) => `(geohash >> ${GEOHASH_BITS - bits})`;
  for (const [sizeClass] of SIZE_CLASS_BITS.entries()) {
    const rows = `(FROM ${ROWS_TABLE} WHERE ${within} AND size_class = ${sizeClass})`;
    for (const bits of levelsOf(sizeClass)) {
      const add = (sql: string) => database.run(`INSERT INTO ${EXPECTED} ${sql}`);
      const key = `${bits}, ${sizeClass}, ${cellOf(bits)} AS cell`;
      await add(`SELECT country, '${TOTAL}', ${key}, -1, '', count(*) FROM ${rows} GROUP BY country, cell`);
      const facet = "split_part(pair, ' ', 1) AS facet, substr(pair, strpos(pair, ' ') + 1) AS value";
      if (!listsRows(sizeClass, bits)) {
        await add(`
          SELECT country, facet, ${bits}, ${sizeClass}, cell, -1, value, count(*)
          FROM (SELECT country, cell, ${facet} FROM (SELECT country, ${cellOf(bits)} AS cell, unnest(cells) AS pair FROM ${rows}))
          GROUP BY ALL`);
        continue;
      }
      const cells = `(
        SELECT *, ${cellOf(bits)} AS cell, row_number() OVER (PARTITION BY country, ${cellOf(bits)} ORDER BY geohash, id) - 1 AS ordinal FROM ${rows})`;
      await add(`
        SELECT country, facet, ${bits}, ${sizeClass}, cell, ordinal, value, 1
        FROM (SELECT country, cell, ordinal, ${facet} FROM (SELECT country, cell, ordinal, unnest(cells) AS pair FROM ${cells}))`);
      if (sizeClass > 0) {
        const steps = (edge: string, least: number, isHigh: boolean) =>
          isHigh
            ? `least(${-2 * least}00000, ceil((${edge} - ${least}) * 1e5)::BIGINT + 1)`
            : `greatest(0, floor((${edge} - ${least}) * 1e5)::BIGINT - 1)`;
        const box = `${steps("west", -180, false)}, ${steps("south", -90, false)}, ${steps("east", -180, true)}, ${steps("north", -90, true)}`;
        await add(`
          SELECT country, '${TOTAL}', ${bits}, ${sizeClass}, cell, ordinal, concat_ws(' ', number, ${cellOf(FINE_BITS)}, ${box}), 1
          FROM ${cells} JOIN ${NUMBERED_TABLE} USING (country, id)`);
      }
    }
  }
  await database.run(
    `INSERT INTO ${BOXES} SELECT DISTINCT country, ${cellOf(BOX_BITS)} FROM ${ROWS_TABLE} WHERE ${within}`,
  );
}

/** Fills the table of stored counts, and reports faults of each slice. Returns true if all slices could be read. */
export async function loadCells(verified: Verified): Promise<boolean> {
  const { database, sliceTable, manifest } = verified;
  const appender = await database.connection.createAppender(FOUND);
  let isWhole = true;
  let tail = { country: "", term: "" };
  for await (const entry of sliceTable.nodes("count_cell")) {
    const { node } = entry;
    const read = await openSlice(verified, "tables", entry, open);
    if (!read) {
      isWhole = false;
      continue;
    }
    const { say, same } = checksOf(verified, nameSlice(entry));
    const [first, last] = termsOfCells(read.blocks);
    same("order", "first_term", first, node.first_term);
    same("order", "last_term", last, node.last_term);
    same("row counts", "rows", node.rows, read.cells);
    same("counts", "start", 0, node.start);
    if (tail.country !== node.country) tail = { country: node.country, term: "" };
    let disordered: string | undefined;
    const base = firstNumberOf(manifest.segments[node.country] ?? 0);
    eachLine(read, base, (term, line) => {
      if (compareIds(tail.term, term) > 0) disordered ??= term;
      tail = { ...tail, term };
      appendRow(appender, node.country, ...line);
    });
    say("order", disordered === undefined, () => `cell ${disordered} does not come after the one before`);
    appender.flushSync();
  }
  appender.closeSync();
  return isWhole;
}

/** Reads a slice. Throws if it has no cell. */
function open(bytes: Uint8Array): CellCounts {
  const read = readCellCounts(bytes);
  if (read.cells === 0) throw new Error("it holds no cell");
  return read;
}

type Line = [
  facet: string,
  bits: number,
  sizeClass: number,
  cell: bigint,
  ordinal: number,
  value: string,
  rows: bigint,
];

function eachLine({ blocks }: CellCounts, base: number, take: (term: string, line: Line) => void): void {
  for (const { facet, values, sections } of blocks) {
    for (const section of sections) {
      const { bits, sizeClass, cells, sizes, codes, counts, figures = [] } = section;
      const isOfRows = facet !== TOTAL && listsRows(sizeClass, bits);
      let [count, code, figure] = [0, 0, 0];
      for (const [index, cell] of cells.entries()) {
        const term = cellTerm(facet, { bits, sizeClass, cell });
        const add = (ordinal: number, value: string, rows: number): void =>
          take(term, [facet, bits, sizeClass, BigInt(cell), ordinal, value, BigInt(rows)]);
        if (facet === TOTAL) {
          add(-1, "", counts[index] ?? 0);
          if (!hasFigures(facet, section)) continue;
          for (let ordinal = 0; ordinal < (counts[index] ?? 0); ordinal++, figure++) {
            const { number, fineCell, bbox } = figures[figure] ?? { number: 0, fineCell: 0, bbox: [0, 0, 0, 0] };
            const steps = bbox.map((edge, axis) => Math.round((edge + (axis % 2 === 0 ? 180 : 90)) * 1e5));
            add(ordinal, [base + number, fineCell, ...steps].join(" "), 1);
          }
          continue;
        }
        for (let item = 0; item < (sizes[index] ?? 0); item++, count++) {
          if (!isOfRows) add(-1, values[codes[code++] ?? 0] ?? "", counts[count] ?? 0);
          else for (let i = 0; i < (counts[count] ?? 0); i++) add(item, values[codes[code++] ?? 0] ?? "", 1);
        }
      }
    }
  }
}

/**
 * Compares stored with expected counts, and the boxes of slices with those of their country. Reports faults. Needs the
 * counts of all countries.
 */
export async function compareCells(verified: Verified): Promise<void> {
  const { database, sliceTable } = verified;
  const key = "country, facet, bits, class, cell, ordinal, value, rows";
  for (const [what, from] of [
    ["counts are wrong or have no row", `(FROM ${FOUND} EXCEPT ALL FROM ${EXPECTED})`],
    ["counts are missing", `(FROM ${EXPECTED} EXCEPT ALL FROM ${FOUND})`],
  ] as const) {
    const sql = `SELECT count(*) AS rows, min(concat_ws(' ', ${key})) AS first FROM ${from}`;
    await expectNone(verified, "tables", sql, (rows, first) => `count_cell run: ${rows} ${what}, such as ${first}`);
  }
  const cells = new Map<string, number[]>();
  for (const { country, cell } of await database.rows<{ country: string; cell: number }>(
    `SELECT country, cell::DOUBLE AS cell FROM ${BOXES} ORDER BY ALL`,
  )) {
    const own = cells.get(country) ?? [];
    cells.set(country, own);
    own.push(cell);
  }
  const boxes = new Map(
    Array.from(cells, ([country, own]) => [country, bboxUnion(own.map((cell) => cellBox(cell, BOX_BITS)))]),
  );
  for await (const entry of sliceTable.nodes("count_cell")) {
    const box = boxes.get(entry.node.country);
    if (box) checksOf(verified, nameSlice(entry)).same("bbox", "bbox of its country", box, entry.node.bbox);
  }
}
