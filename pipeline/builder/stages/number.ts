import { open } from "node:fs/promises";
import { join } from "node:path";
import { DOUBLE, INTEGER } from "@duckdb/node-api";
import type { BBox } from "../../../data/format/bbox.ts";
import type { Collection } from "../../../data/format/collections.ts";
import { frontCoder } from "../../../data/format/front-coding.ts";
import { numberInSegment } from "../../../data/format/id-order.ts";
import { collectionIn, computedColumn, withComputed } from "../../../data/format/own-collections.ts";
import { BY_ENDS, endTermsOf, FACET_COLUMNS, storedTerms, type TermColumns } from "../../../data/format/terms.ts";
import { ByteWriter } from "../../../data/format/varint.ts";
import { countRows, type Database, sqlFunction } from "../../base/database/index.ts";
import type { PlannedLeaf } from "../partitions/index.ts";
import type { NumberTask } from "../plan/index.ts";
import { parseRow, rowJsonSql, unionOfBoxes } from "../records/index.ts";
import { ORDER_COLUMN } from "../rows/index.ts";
import { bucketCountsSql, createTermCollector, type TermCollector } from "../term-runs/index.ts";
import {
  COUNTS_FILE,
  IDS_FILE,
  type LooseSegment,
  NUMBERED_FILE,
  type NumberFacts,
  numberedColumns,
  TERMS_FILE,
  writeSegments,
} from "./numbered-rows.ts";
import { copyRows, rowsSql, type TaskContext } from "./row-files.ts";
import { readBucket, readSurvey } from "./survey.ts";

const SORTED = "sorted";

/**
 * Numbers the rows of a bucket of ids, counted from the bucket's first segment. Writes the rows with their numbers in
 * the order of the run `location`, their ids in the order of numbers, the postings of terms, and for places the counts.
 */
export async function number(
  { plan, database, folder }: TaskContext,
  { collection: name, survey, bucket: index }: NumberTask,
): Promise<NumberFacts> {
  const bucket = await readBucket(plan, survey, { run: "ids", index });
  if (!bucket) return { rows: 0, countries: [], sections: [] };
  const collection = collectionIn(plan, name);
  const { kept } = await readSurvey(plan, survey);
  const key = ORDER_COLUMN.ids;
  await database.run(`
    CREATE TABLE ${SORTED} AS SELECT * FROM ${rowsSql(kept)}
    WHERE ${key} >= ${bucket.start} AND ${key} < ${bucket.end} ORDER BY ${key}, id`);
  const leaves = bucket.units.flatMap(({ packs }) => packs.flat());
  const rows = await countRows(database, SORTED);
  const expected = leaves.at(-1)?.end ?? 0;
  if (rows !== expected) throw new Error(`${name}: bucket ${index} of ids has ${rows} rows, expected ${expected}`);
  const terms = await createTermCollector(join(folder, TERMS_FILE));
  const numbers = new Float64Array(rows);
  const segments = await numberRows({
    rows: readRows(database, collection, BY_ENDS.has(name)),
    leaves,
    terms,
    numbers,
    ids: join(folder, IDS_FILE),
  });
  const sections = await terms.close();
  database.register(sqlFunction("number_of", [INTEGER], DOUBLE, (place) => numbers[place ?? 0] ?? 0));
  await copyRows(
    database,
    `SELECT ${numberedColumns(collection).join(", ")}, number_of(rowid::INTEGER)::BIGINT AS _number
     FROM ${SORTED} ORDER BY ${ORDER_COLUMN.location}`,
    join(folder, NUMBERED_FILE),
  );
  if (name === "place") await copyRows(database, bucketCountsSql(SORTED), join(folder, COUNTS_FILE));
  return { rows, ...(await writeSegments(folder, segments)), sections };
}

interface NumberedRow {
  readonly id: string;
  readonly bbox: BBox;
  readonly terms: readonly string[];
}

async function* readRows(database: Database, collection: Collection, byEnds: boolean): AsyncGenerator<NumberedRow> {
  const columns = termColumns(collection);
  const json = columns.length === 0 ? "'{}'" : rowJsonSql({ columns });
  let place = 0;
  // A table keeps its order. Sorting again would need memory for all texts.
  for await (const read of database.stream(`
    SELECT rowid::INTEGER, id, ${json}, bbox.xmin, bbox.ymin, bbox.xmax, bbox.ymax FROM ${SORTED}`)) {
    const [places = [], ids = [], texts = [], west = [], south = [], east = [], north = []] = read;
    for (const [index, id] of ids.entries()) {
      if (places[index] !== place++) throw new Error(`row ${places[index]} came as the ${place}th`);
      const row = withComputed(collection, parseRow(String(texts[index])));
      const terms = storedTerms(row as TermColumns);
      yield {
        id: String(id),
        bbox: [Number(west[index]), Number(south[index]), Number(east[index]), Number(north[index])],
        terms: byEnds ? [...terms, ...endTermsOf(terms)] : terms,
      };
    }
  }
}

/** The stored columns that terms are made from. */
function termColumns(collection: Collection): Collection["columns"] {
  const read = Object.values(FACET_COLUMNS).flat();
  const needed = new Set(read.flatMap((name) => computedColumn(collection, name)?.needs ?? [name]));
  return collection.columns.filter(({ name }) => needed.has(name));
}

interface RowsToNumber {
  readonly rows: AsyncIterator<NumberedRow>;
  /** Row ranges of the segments to write. */
  readonly leaves: readonly PlannedLeaf[];
  readonly terms: TermCollector;
  /** Receives the number of each row. */
  readonly numbers: Float64Array;
  /** Path of the file of ids: those of a segment after each other, front coded. */
  readonly ids: string;
}

async function numberRows({ rows, leaves, terms, numbers, ids }: RowsToNumber): Promise<LooseSegment[]> {
  const file = await open(ids, "w");
  const segments: LooseSegment[] = [];
  let countryStart = 0;
  for (const [segment, { country, start, end }] of leaves.entries()) {
    const out = new ByteWriter();
    const writeId = frontCoder(out);
    const boxes: BBox[] = [];
    let [first_id, last_id] = ["", ""];
    for (let place = start; place < end; place++) {
      const { value: row, done } = await rows.next();
      if (done) throw new Error(`expected ${end - place} more rows, as counted before`);
      numbers[place] = numberInSegment(segment, place - start);
      terms.add(row.terms);
      writeId(row.id);
      boxes.push(row.bbox);
      if (place === start) first_id = row.id;
      last_id = row.id;
    }
    await file.writeFile(out.bytes());
    segments.push({ rows: end - start, bbox: unionOfBoxes(boxes), country, first_id, last_id });
    if (leaves[segment + 1]?.country === country) continue;
    await terms.endCountry(country, numbers.subarray(countryStart, end));
    countryStart = end;
  }
  if (!(await rows.next()).done) throw new Error("there are more rows than were counted");
  await file.close();
  return segments;
}
