/** Slices of the term run: order, counts, and what their terms hold, summed up. @module */
import type { DuckDBAppender } from "@duckdb/node-api";
import type { BBox } from "../../data/format/bbox.ts";
import type { Collection, CollectionName } from "../../data/format/collections.ts";
import { compareIds } from "../../data/format/ids.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { type Postings, readPostings } from "../../data/format/postings.ts";
import { firstNumberOf } from "../../data/format/records.ts";
import { FACET_COLUMNS } from "../../data/format/terms.ts";
import type { Database } from "../database/index.ts";
import { checksOf, type Ledger, messageOf } from "./ledger.ts";
import { readSlice } from "./read-slice.ts";
import { type BookedNode, nameSlice, type SliceBook } from "./slice-book.ts";

/** `country`, `term`, `rows` and `sum`, that of the hashes of its rows' numbers; of a split term a line for each slice. */
export const FOUND_TERMS = "found_terms";
const NUMBERS = "slice_numbers";

/** Numbers that wait to be summed up. */
const MOST_NUMBERS = 2 ** 20;

export function hasTerms({ columns }: Collection): boolean {
  const made = new Set<string>(Object.values(FACET_COLUMNS).flat());
  return columns.some(({ name }) => made.has(name));
}

export interface TermRun {
  readonly dataset: string;
  readonly name: CollectionName;
  readonly book: SliceBook;
  readonly stretches: Readonly<Record<string, number>>;
}

/** Fills the table of terms; returns whether all slices could be read. */
export async function loadTerms(
  database: Database,
  { dataset, name, book, stretches }: TermRun,
  ledger: Ledger,
): Promise<boolean> {
  await database.run(
    `CREATE OR REPLACE TABLE ${FOUND_TERMS} (slice INTEGER, place INTEGER, country VARCHAR, term VARCHAR, rows BIGINT, sum HUGEINT)`,
  );
  const numbers = await openNumbers(database);
  let isWhole = true;
  let before: { node: BookedNode<"term">["node"]; terms: number; inTerm: number } | undefined;
  for await (const booked of book.nodes("term")) {
    const { node, path, slice } = booked;
    const bytes = book.isSound(slice) ? await readSlice(dataset, path, node) : undefined;
    if (!bytes) {
      [isWhole, before] = [false, undefined];
      continue;
    }
    const { say, same } = checksOf(ledger, name, nameSlice(booked));
    const read = open(bytes);
    if (!say("terms", typeof read !== "string", () => `cannot be read: ${read}`) || typeof read === "string") {
      [isWhole, before] = [false, undefined];
      continue;
    }
    const { terms, counts } = read;
    same(
      "row counts",
      "rows",
      node.rows,
      counts.reduce((sum, count) => sum + count, 0),
    );
    same("order", "first_term", terms[0], node.first_term);
    same("order", "last_term", terms.at(-1), node.last_term);
    const disordered = terms.find((term, i) => i > 0 && compareIds(terms[i - 1] ?? "", term) >= 0);
    say("order", disordered === undefined, () => `term ${disordered} does not come after the one before`);
    const empty = terms.find((_, i) => counts[i] === 0);
    say("terms", empty === undefined, () => `term ${empty} has no row`);
    const isSplit = before?.node.country === node.country && before.node.last_term === node.first_term;
    const isAlone = terms.length === 1 && before?.terms === 1;
    say("terms", !isSplit || isAlone, () => `term ${terms[0]} is split, though others stand in a slice of it`);
    same("counts", "start", isSplit ? before?.inTerm : 0, node.start);
    const inTerm = (isSplit ? (before?.inTerm ?? 0) : 0) + node.rows;
    before = { node, terms: terms.length, inTerm };
    // numbers of all countries together are counted from 0
    const first = node.country === ALL_COUNTRIES ? 0 : firstNumberOf(stretches[node.country] ?? 0);
    for (const [place, term] of terms.entries()) {
      await numbers.add({ slice, place, country: node.country, term }, read.numbersAt(place), first);
    }
  }
  await numbers.close();
  return isWhole;
}

/** That the box of a slice is that of its country. */
export async function checkTermBoxes(
  { name, book }: Pick<TermRun, "name" | "book">,
  boxes: ReadonlyMap<string, BBox>,
  ledger: Ledger,
): Promise<void> {
  for await (const booked of book.nodes("term")) {
    const box = boxes.get(booked.node.country);
    if (box) checksOf(ledger, name, nameSlice(booked)).same("bbox", "bbox of its country", box, booked.node.bbox);
  }
}

function open(bytes: Uint8Array): Postings | string {
  try {
    const postings = readPostings(bytes);
    for (const place of postings.terms.keys()) postings.numbersAt(place);
    return postings.terms.length === 0 ? "it holds no term" : postings;
  } catch (error) {
    return messageOf(error);
  }
}

interface FoundTerm {
  readonly slice: number;
  readonly place: number;
  readonly country: string;
  readonly term: string;
}

interface Numbers {
  readonly add: (term: FoundTerm, numbers: Float64Array, first: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Sums numbers up, so many at a time that they fit in memory. */
async function openNumbers(database: Database): Promise<Numbers> {
  await database.run(
    `CREATE OR REPLACE TABLE ${NUMBERS} (slice INTEGER, place INTEGER, country VARCHAR, term VARCHAR, numbers BIGINT[])`,
  );
  let appender: DuckDBAppender = await database.connection.createAppender(NUMBERS);
  let waiting = 0;
  const sumUp = async (): Promise<void> => {
    appender.closeSync();
    await database.run(`
      INSERT INTO ${FOUND_TERMS}
      SELECT slice, place, country, term, count(number), coalesce(sum(hash(number)::HUGEINT), 0)
      FROM (SELECT slice, place, country, term, unnest(numbers) AS number FROM ${NUMBERS}) GROUP BY ALL`);
    await database.run(`TRUNCATE ${NUMBERS}`);
    waiting = 0;
  };
  return {
    add: async ({ slice, place, country, term }, numbers, first) => {
      appender.appendInteger(slice);
      appender.appendInteger(place);
      appender.appendVarchar(country);
      appender.appendVarchar(term);
      appender.appendList(Array.from(numbers, (number) => BigInt(first + number)));
      appender.endRow();
      waiting += numbers.length;
      if (waiting < MOST_NUMBERS) return;
      await sumUp();
      appender = await database.connection.createAppender(NUMBERS);
    },
    close: async () => {
      await sumUp();
      await database.run(`DROP TABLE ${NUMBERS}`);
    },
  };
}
