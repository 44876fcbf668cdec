/** Slices of the term run: order, counts, and what their terms hold, summed up. @module */
import { BIGINT, type DuckDBAppender, LIST } from "@duckdb/node-api";
import type { BBox } from "../../data/format/bbox.ts";
import type { Collection } from "../../data/format/collections.ts";
import { compareIds } from "../../data/format/ids.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { type Postings, readPostings } from "../../data/format/postings.ts";
import { firstNumberOf } from "../../data/format/records.ts";
import { FACET_COLUMNS } from "../../data/format/terms.ts";
import type { Database } from "../database/index.ts";
import { checksOf } from "./ledger.ts";
import { type BookedNode, nameSlice } from "./slice-book.ts";
import { openSlice, type Verified } from "./verified.ts";

/** `country`, `term`, `rows` and `sum`, that of the hashes of its rows' numbers; of a split term a line for each slice. */
export const FOUND_TERMS = "found_terms";
const NUMBERS = "slice_numbers";
const NUMBERS_TYPE = LIST(BIGINT);

/** Numbers that wait to be summed up. */
const MOST_NUMBERS = 2 ** 20;

export function hasTerms({ columns }: Collection): boolean {
  const made = new Set<string>(Object.values(FACET_COLUMNS).flat());
  return columns.some(({ name }) => made.has(name));
}

/** Fills the table of terms; returns whether all slices could be read. `isIndexed` says whether the run's index was. */
export async function loadTerms(verified: Verified, isIndexed: boolean): Promise<boolean> {
  const { database, book, manifest } = verified;
  await database.run(
    `CREATE OR REPLACE TABLE ${FOUND_TERMS} (slice INTEGER, place INTEGER, country VARCHAR, term VARCHAR, rows BIGINT, sum HUGEINT)`,
  );
  const numbers = await openNumbers(database);
  let isWhole = true;
  let before: { node: BookedNode<"term">["node"]; terms: number; inTerm: number } | undefined;
  // behind a slice that is not read, what stands before the next is not known
  let isNext = isIndexed;
  for await (const booked of book.nodes("term")) {
    const { node, slice } = booked;
    const read = await openSlice(verified, "terms", booked, open);
    if (!read) {
      [isWhole, isNext] = [false, false];
      continue;
    }
    const { say, same } = checksOf(verified, nameSlice(booked));
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
    const isSplit = isNext && before?.node.country === node.country && before.node.last_term === node.first_term;
    const isAlone = terms.length === 1 && before?.terms === 1;
    say("terms", !isSplit || isAlone, () => `term ${terms[0]} is split, though others stand in a slice of it`);
    const inTerm = isSplit ? (before?.inTerm ?? 0) : isNext ? 0 : node.start;
    same("counts", "start", inTerm, node.start);
    before = { node, terms: terms.length, inTerm: inTerm + node.rows };
    isNext = isIndexed;
    // numbers of all countries together are counted from 0
    const first = node.country === ALL_COUNTRIES ? 0 : firstNumberOf(manifest.stretches[node.country] ?? 0);
    for (const [place, term] of terms.entries()) {
      await numbers.add({ slice, place, country: node.country, term }, read.numbersAt(place), first);
    }
  }
  await numbers.close();
  return isWhole;
}

/** That the box of a slice is that of its country. */
export async function checkTermBoxes(verified: Verified, boxes: ReadonlyMap<string, BBox>): Promise<void> {
  for await (const booked of verified.book.nodes("term")) {
    const box = boxes.get(booked.node.country);
    if (box) checksOf(verified, nameSlice(booked)).same("bbox", "bbox of its country", box, booked.node.bbox);
  }
}

/** Throws where a term's numbers cannot be read, and where there is none. */
function open(bytes: Uint8Array): Postings {
  const postings = readPostings(bytes);
  for (const place of postings.terms.keys()) postings.numbersAt(place);
  if (postings.terms.length === 0) throw new Error("it holds no term");
  return postings;
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
      FROM (SELECT slice, place, country, term, unnest(CASE WHEN len(numbers) = 0 THEN [NULL] ELSE numbers END) AS number FROM ${NUMBERS}) GROUP BY ALL`);
    await database.run(`TRUNCATE ${NUMBERS}`);
    waiting = 0;
  };
  return {
    add: async ({ slice, place, country, term }, numbers, first) => {
      appender.appendInteger(slice);
      appender.appendInteger(place);
      appender.appendVarchar(country);
      appender.appendVarchar(term);
      appender.appendList(
        Array.from(numbers, (number) => BigInt(first + number)),
        NUMBERS_TYPE,
      );
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
