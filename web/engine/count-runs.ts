/**
 * Counts of all places, or of all of a country, ready-made: a page of them is one small file.
 * @module
 */

import { spellRank } from "../../data/format/lookup.ts";
import { ALL_COUNTRIES, type CountRunName, type TermNode } from "../../data/format/manifest.ts";
import type { Group, Grouping, GroupResult, Query } from "./contract/query.ts";
import type { Session } from "./store/session.ts";
import { placeOf } from "./terms/term-index.ts";

const RUNS: Readonly<Record<Grouping, CountRunName>> = {
  brand: "count_brand",
  category: "count_category",
  country: "count_country",
};

/** The page of groups; undefined when the dataset does not have these counts ready-made. */
export async function readCounts(
  session: Session,
  { collections, circle, area, filters, country = ALL_COUNTRIES, offset, limit }: Query,
  by: Grouping,
): Promise<GroupResult | undefined> {
  const [collection] = collections;
  const name = RUNS[by];
  if (circle || area || filters || collection === undefined || collections.length > 1) return undefined;
  if (!session.manifest.collections[collection]?.runs[name]) return undefined;
  const run = { session, collection, run: name, country: by === "country" ? ALL_COUNTRIES : country };
  const { partitions } = await placeOf(run, { first: spellRank(0), last: LAST_RANK });
  const isOne = by === "country" && country !== ALL_COUNTRIES;
  const wanted = isOne
    ? partitions
    : partitions.filter((node) => rankOf(node) < offset + limit && rankOf(node) + node.rows > offset);
  const groups: Group[] = [];
  for (const node of wanted) {
    const { value, rows, brands } = await session.readTable({ collection, run: name, node }, [
      "value",
      "rows",
      "brands",
    ]);
    for (let row = 0; row < node.rows; row++) {
      groups.push({ value: value?.[row] ?? null, rows: Number(rows?.[row]), brands: Number(brands?.[row]) });
    }
  }
  if (isOne) {
    const own = groups.filter((group) => group.value === country);
    return { total: own.length, groups: own.slice(offset, offset + limit) };
  }
  const [first] = wanted;
  const skipped = first ? rankOf(first) : 0;
  return {
    total: partitions.reduce((sum, { rows }) => sum + rows, 0),
    groups: groups.slice(offset - skipped, offset - skipped + limit),
  };
}

/** Rank of the slice's first group. */
function rankOf({ first_term: rank }: TermNode): number {
  return Number(rank);
}

const LAST_RANK = "9".repeat(spellRank(0).length);
