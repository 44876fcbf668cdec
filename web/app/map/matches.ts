/** All matches of the search on the map, also those on other pages of the list. @module */
import { effect, signal } from "@preact/signals";
import type { Matches } from "../../hosts/browser/protocol/index.ts";
import { formatPageState, type Search } from "../address/index.ts";
import {
  type Found,
  found,
  isSearching,
  networkState,
  openMatch,
  orderedArgument,
  shownBox,
  showProblem,
} from "../state/index.ts";
import { remote } from "../worker/index.ts";

/** Wait after a move of the map, so that only a resting map asks. */
const REST_MS = 250;

/** Matches of the shown search; undefined if the list has all of them, and until they are known. */
export const matches = signal<Matches | undefined>(undefined);

/** Updates `matches` with search, view and network. Returns a function that stops this. */
export function followMatches(): () => void {
  let known = "";
  let running = new AbortController();
  let isWhole = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    running.abort();
  };
  const ask = async (search: Search) => {
    running = new AbortController();
    const { signal: own } = running;
    try {
      const argument = { search: orderedArgument(search), view: shownBox.peek() };
      const located = await remote("matches", argument, own);
      if (own.aborted) return;
      isWhole = located.isWhole;
      matches.value = located;
    } catch {
      // the list has its own message; asked again when the map moves or the network is back
    }
  };
  const end = effect(() => {
    const shown = found.value;
    shownBox.value;
    networkState.value;
    if (isSearching.value) return;
    const search = shown && isCut(shown) ? shown.search : undefined;
    const key = search ? keyOf(search) : "";
    const isNew = key !== known;
    if (!isNew && (isWhole || !search)) return;
    stop();
    known = key;
    if (isNew) {
      matches.value = undefined;
      isWhole = false;
    }
    if (search) timer = setTimeout(() => void ask(search), isNew ? 0 : REST_MS);
  });
  return () => {
    end();
    stop();
  };
}

/** Opens the match of the shown search at a position in degrees, if there is one. Does not throw: an error is shown. */
export async function openMatchAt(lon: number, lat: number): Promise<void> {
  const search = found.peek()?.search;
  if (!search) return;
  try {
    const record = await remote("matchAt", { search: orderedArgument(search), lon, lat });
    if (record && found.peek()?.search === search) openMatch(record);
  } catch (error) {
    if (found.peek()?.search === search) showProblem(error);
  }
}

/** Whether the list has only some of the matches. */
function isCut({ alone, total, records }: Found): boolean {
  return !alone && total > records.length;
}

/** Returns a text that is equal for all pages of a search. */
function keyOf(search: Search): string {
  return formatPageState({ search: { ...search, page: 0, limit: 25 } });
}
