/** Records as a table, their run checked on the way. @module */
import { BLOCK_BYTES } from "../../data/format/records.ts";
import { appendRow } from "../database/index.ts";
import { checksOf } from "./ledger.ts";
import { nameSlice } from "./slice-book.ts";
import { readStretch } from "./stretches.ts";
import { openSlice, type Verified } from "./verified.ts";

export const RECORDS_TABLE = "verified_records";

/** Fills the table with the records of these countries; returns the countries of which all are there. */
export async function loadRecords(
  verified: Verified,
  dictionary: Uint8Array,
  countries: ReadonlySet<string>,
): Promise<Set<string>> {
  const { database, book } = verified;
  await database.run(`
    CREATE OR REPLACE TABLE ${RECORDS_TABLE} (country VARCHAR, slice INTEGER, id VARCHAR, number BIGINT,
      content UBIGINT, geometry UBIGINT)`);
  const whole = new Set(countries);
  const appender = await database.connection.createAppender(RECORDS_TABLE);
  for await (const booked of book.nodes("records", countries)) {
    const { node, slice } = booked;
    const bytes = await openSlice(verified, "records", booked, (content) => content);
    const { say, same } = checksOf(verified, nameSlice(booked));
    const isLong = bytes && bytes.length > node.blocks * BLOCK_BYTES;
    const short = () => `${bytes?.length} bytes do not hold ${node.blocks} blocks and a directory`;
    if (!bytes || !say("records", isLong === true, short)) {
      whole.delete(node.country);
      continue;
    }
    const { records, faults } = await readStretch({ ...node, bytes, dictionary });
    say("records", faults.length === 0, () => faults.join("; "));
    if (!same("row counts", "rows", node.rows, records.length)) whole.delete(node.country);
    const [first, last] = [records[0], records.at(-1)];
    if (first) same("order", "first_id", first.id, node.first_id);
    if (last) same("order", "last_id", last.id, node.last_id);
    for (const { id, number, content, geometry } of records) {
      appendRow(appender, node.country, slice, id, number, content, geometry);
    }
    appender.flushSync();
  }
  appender.closeSync();
  return whole;
}

/** That stretches are numbered without a gap, `start` is what stands before, and the manifest has each country's first. */
export async function checkStretches(verified: Verified): Promise<void> {
  const { name, book, manifest } = verified;
  const firsts: Record<string, number> = {};
  let [ordinal, country, start, lastId] = [0, "", 0, ""];
  for await (const booked of book.nodes("records")) {
    const { node } = booked;
    const { same, say } = checksOf(verified, nameSlice(booked));
    same("records", "stretch", ordinal, node.stretch);
    if (node.country !== country) {
      firsts[node.country] = ordinal;
      [country, start, lastId] = [node.country, 0, ""];
    }
    same("counts", "start", start, node.start);
    say("order", lastId !== node.first_id, () => `begins with ${lastId}, the last id of the one before`);
    ordinal++;
    start += node.rows;
    lastId = node.last_id;
  }
  checksOf(verified, "manifest.json").same("records", `${name} stretches`, firsts, manifest.stretches);
}
