/**
 * Counts of a collection of OGC API - Features, by the conditions of its items. No standard of OGC has such an operation,
 * so the collection links to it by a relation of our own.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import {
  type CountedRow,
  type Counting,
  type CountsFound,
  GROUP_NAMES,
  outlineFaults,
  ParameterError,
  type Parameters,
  parseGroup,
} from "../search/index.ts";
import { DEFAULT_GROUPS } from "./ogc-document.ts";
import { parseItems } from "./ogc-items.ts";

/** Relation of the link from a collection to its counts. */
export const COUNTS_RELATION = "urn:cairn:rel:counts";

/** Maximum number of rows that are read to test them, when divisions are counted: each division tests them again. */
const MOST_TESTED_IN_DIVISIONS = 25_000;

interface OgcCounting {
  /** The count, which asks for all groups up to the end of the page: paging is by offset here. */
  readonly counting: Counting;
  readonly hasOutlines: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Returns what to count of a collection. Throws `ParameterError`; its faults may not be complete. */
export function parseOgcCounts(manifest: Manifest, name: CollectionName, parameters: Parameters): OgcCounting {
  const sent = { limit: String(DEFAULT_GROUPS), ...parameters };
  const { search, limit, offset } = parseItems(manifest, name, sent, GROUP_NAMES);
  const asked = parseGroup(manifest, [name], parameters);
  const hasOutlines = parameters.f === "geojson";
  const faults = hasOutlines ? outlineFaults("f=geojson", asked.groupName) : [];
  if (faults.length > 0) throw new ParameterError(faults);
  const isOfDivisions = asked.group?.by === "division";
  const query = isOfDivisions ? { ...search.query, maxTestedRows: MOST_TESTED_IN_DIVISIONS } : search.query;
  const page = { page: 0, limit: offset + limit };
  const counting = { ...asked, format: "json" as const, search: { ...search, query, ...page } };
  return { counting, hasOutlines, limit, offset };
}

/** Returns the body of an answer, without its links. Without a group it has only the number of items. */
export function ogcCounts(
  { counting: { groupName }, hasOutlines, offset }: OgcCounting,
  { total, groups, rows }: CountsFound,
): object {
  if (groupName === undefined) return { total };
  const page = rows.slice(offset);
  const numbers = { total, group: groupName, numberMatched: groups, numberReturned: page.length };
  if (!hasOutlines) return { ...numbers, groups: page.map(countOf) };
  const features = page.map((row) => ({
    type: "Feature",
    id: row.key,
    geometry: row.outline ?? null,
    properties: countOf(row),
  }));
  return { type: "FeatureCollection", ...numbers, features };
}

function countOf({ key, name, rows }: CountedRow): object {
  return { key, ...(name === undefined ? {} : { name }), count: rows };
}
