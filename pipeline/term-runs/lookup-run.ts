/** The find run: the number of the row that has an id. @module */
import { spellKey } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { writeTable } from "../../data/format/tables.ts";
import { countRows, type Database } from "../database/index.ts";
import { deflate, type LooseSlice } from "../packs/index.ts";
import { WORLD } from "./rows-of.ts";
import type { LooseTermNode } from "./term-run.ts";

/** About 100 KB: a look-up reads one slice. */
const TARGET_ROWS = 16 * 1024;

const KEY_BITS = 32;

const RUN = "run_find";

/** The slices of the run. `rows` is SQL of rows with their `id` and `number`, counted from 0, as what follows FROM. */
export async function* lookupSlices(database: Database, rows: string): AsyncGenerator<LooseSlice<LooseTermNode>> {
  await database.run(`
    CREATE OR REPLACE TABLE ${RUN} AS
    SELECT CAST('0x' || left(sha256(id), 8) AS UINTEGER) AS key, number FROM ${rows} ORDER BY ALL`);
  // keys are hashes: in equal ranges a row more or less changes one slice, unless their number doubles
  const bits = Math.ceil(Math.log2(Math.max(1, (await countRows(database, RUN)) / TARGET_ROWS)));
  const rangeOf = (key: number): number => Math.floor(key / 2 ** (KEY_BITS - bits));
  let [keys, numbers]: [number[], number[]] = [[], []];
  for await (const [nextKeys = [], nextNumbers = []] of database.stream(
    `SELECT key, number::DOUBLE FROM ${RUN} ORDER BY rowid`,
  )) {
    for (const [index, value] of nextKeys.entries()) {
      const key = Number(value);
      if (keys.length > 0 && rangeOf(key) !== rangeOf(keys[0] ?? 0)) {
        yield sliceOf(keys, numbers);
        [keys, numbers] = [[], []];
      }
      keys.push(key);
      numbers.push(Number(nextNumbers[index]));
    }
  }
  if (keys.length > 0) yield sliceOf(keys, numbers);
  await database.run(`DROP TABLE ${RUN}`);
}

function sliceOf(keys: readonly number[], numbers: readonly number[]): LooseSlice<LooseTermNode> {
  const gap = keys.map((key, row) => (row === 0 ? key : key - (keys[row - 1] ?? 0)));
  const [first_term, last_term] = [spellKey(keys[0] ?? 0), spellKey(keys.at(-1) ?? 0)];
  return {
    bytes: writeTable({ gap, number: numbers }, deflate),
    key: first_term,
    node: { rows: keys.length, bbox: WORLD, country: ALL_COUNTRIES, first_term, last_term, start: 0 },
  };
}
