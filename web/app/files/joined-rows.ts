/** Rows of the user's files among the records of a page, by distance. @module */
import { computed, effect, signal } from "@preact/signals";
import type { JoinedRow, JoinedRows } from "../../hosts/browser/protocol/index.ts";
import { searchArgument } from "../address/index.ts";
import { type Found, found, listedUntil, orderedArgument } from "../state/index.ts";
import { distanceOf } from "../text/index.ts";
import { remote } from "../worker/index.ts";
import { boundsOf, type Lines, linesOf } from "./entries.ts";
import { ownFiles } from "./own-files.ts";

const joined = signal<{ readonly search: Found["search"]; readonly rows: JoinedRows } | undefined>(undefined);
const ids = computed(() => ownFiles.value.map(({ id }) => id).join());

const NONE: readonly JoinedRow[] = [];

/** Returns the rows of the user's files on the page of results, and how many match on all pages. No rows until they are read. */
export function joinedRows(of: Found): Omit<JoinedRows, "body"> & { readonly rows: readonly JoinedRow[] } {
  const { total = 0, before = 0, left = 0, body = NONE } = joined.value?.search === of.search ? joined.value.rows : {};
  return { total, before, left, rows: body };
}

/** Returns the lines of the list: its records and the rows, joined as by `linesOf`. */
export function linesOfPage(found: Found, rows: readonly JoinedRow[]): Lines {
  return linesOf({ count: found.records.length, metersAt: (index) => metersAt(found, index) }, rows);
}

/** Returns the distance in metres by which rows are placed among records; undefined if the records have another order. */
function metersAt({ records, report }: Found, index: number): number | undefined {
  const record = records[index];
  return record && !report?.isOrdered ? distanceOf(record) : undefined;
}

effect(() => {
  const hasFiles = ids.value !== "";
  const now = found.value;
  if (!now || now.alone || !hasFiles) {
    joined.value = undefined;
    return undefined;
  }
  const asking = new AbortController();
  const { signal } = asking;
  join(now, signal).then(
    (rows) => {
      if (!signal.aborted) joined.value = { search: now.search, rows };
    },
    () => {
      // without the end of the previous page the count of matches stays
      if (!signal.aborted) joined.value = undefined;
    },
  );
  return () => asking.abort();
});

async function join(now: Found, signal: AbortSignal): Promise<JoinedRows> {
  const { search, records, total } = now;
  const { page } = search;
  const asked = searchArgument(search);
  const last = metersAt(now, records.length - 1);
  const previous = page > 0 && last !== undefined ? await recordBefore(now, signal) : undefined;
  const bounds = boundsOf({ page, last, isLast: listedUntil(now) >= total, previous });
  return remote("joinFiles", { search: asked, ...bounds }, signal);
}

async function recordBefore({ search }: Found, signal: AbortSignal): Promise<number | undefined> {
  const { parameters, ...asked } = orderedArgument(search);
  const alone = { ...parameters, limit: "1", page: String(search.page * search.limit - 1) };
  const answer = await remote("search", { ...asked, parameters: alone }, signal);
  const [record] = answer.kind === "found" ? answer.body : [];
  return record && distanceOf(record);
}
