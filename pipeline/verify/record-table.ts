/** Records as a table, their run checked on the way. @module */
import type { CollectionName } from "../../data/format/collections.ts";
import { BLOCK_BYTES } from "../../data/format/records.ts";
import type { Database } from "../database/index.ts";
import { checksOf, type Ledger } from "./ledger.ts";
import { readSlice } from "./read-slice.ts";
import { type BookedNode, nameSlice, type SliceBook } from "./slice-book.ts";
import { type ReadRecord, readStretch } from "./stretches.ts";

export const RECORDS_TABLE = "verified_records";

export interface RecordRun {
  readonly dataset: string;
  readonly name: CollectionName;
  readonly dictionary: Uint8Array;
  readonly book: SliceBook;
}

/** Fills the table with the records of these countries; returns the countries of which all are there. */
export async function loadRecords(
  database: Database,
  { dataset, name, dictionary, book }: RecordRun,
  countries: ReadonlySet<string>,
  ledger: Ledger,
): Promise<Set<string>> {
  await database.run(`
    CREATE OR REPLACE TABLE ${RECORDS_TABLE} (country VARCHAR, slice INTEGER, id VARCHAR, number BIGINT,
      content UBIGINT, geometry UBIGINT)`);
  const whole = new Set(countries);
  const appender = await database.connection.createAppender(RECORDS_TABLE);
  for await (const booked of book.nodes("records", countries)) {
    const { node, path, slice } = booked;
    const bytes = book.isSound(slice) ? await readSlice(dataset, path, { ...node }) : undefined;
    if (!bytes) {
      whole.delete(node.country);
      continue;
    }
    const { say } = checksOf(ledger, name, nameSlice(booked));
    const isLong = bytes.length > node.blocks * BLOCK_BYTES;
    if (!say("records", isLong, () => `${bytes.length} bytes do not hold ${node.blocks} blocks and a directory`)) {
      whole.delete(node.country);
      continue;
    }
    const { records, faults } = await readStretch({ ...node, bytes, dictionary });
    say("records", faults.length === 0, () => faults.join("; "));
    checkNode(name, booked, records, ledger);
    if (records.length !== node.rows) whole.delete(node.country);
    for (const record of records) {
      appender.appendVarchar(node.country);
      appender.appendInteger(slice);
      appender.appendVarchar(record.id);
      appender.appendBigInt(BigInt(record.number));
      appender.appendUBigInt(record.content);
      appender.appendUBigInt(record.geometry);
      appender.endRow();
    }
    appender.flushSync();
  }
  appender.closeSync();
  return whole;
}

function checkNode(
  name: CollectionName,
  booked: BookedNode<"records">,
  records: readonly ReadRecord[],
  ledger: Ledger,
): void {
  const { same } = checksOf(ledger, name, nameSlice(booked));
  same("row counts", "rows", booked.node.rows, records.length);
  const [first, last] = [records[0], records.at(-1)];
  if (!first || !last) return;
  same("order", "first_id", first.id, booked.node.first_id);
  same("order", "last_id", last.id, booked.node.last_id);
}

/** That stretches are numbered without a gap, `start` is what stands before, and the manifest has each country's first. */
export async function checkStretches(
  { name, book }: Pick<RecordRun, "name" | "book">,
  stretches: Readonly<Record<string, number>>,
  ledger: Ledger,
): Promise<void> {
  const firsts: Record<string, number> = {};
  let [ordinal, country, start, lastId] = [0, "", 0, ""];
  for await (const booked of book.nodes("records")) {
    const { node } = booked;
    const { same, say } = checksOf(ledger, name, nameSlice(booked));
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
  checksOf(ledger, name, "manifest.json").same("records", `${name} stretches`, firsts, stretches);
}
