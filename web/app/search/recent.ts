/** The last searches with results, stored only in this browser. @module */
import { effect, signal } from "@preact/signals";
import { formatPageState, parsePageState } from "../address/index.ts";
import { found, pageState } from "../state/index.ts";
import { pathText } from "../text/index.ts";
import { categoriesText, locationText } from "./where-text.ts";

const KEY = "cairn-recent";
/** Maximum number of stored searches. */
const MOST = 8;

/** Hashes of the searches' URLs, latest first. */
const recent = signal<readonly string[]>(read());

export interface RecentSearch {
  readonly address: string;
  readonly title: string;
  readonly detail: string;
}

/** Stores each search with results from now on. Returns a function that stops this. */
export function rememberSearches(): () => void {
  return effect(() => {
    const { alone, search, total } = found.value ?? {};
    if (!search || alone || total === 0) return;
    const { around } = pageState.peek();
    const address = formatPageState({ search: { ...search, page: 0 }, around });
    write([address, ...recent.peek().filter((other) => other !== address)].slice(0, MOST));
  });
}

/** Returns the recent searches, latest first. */
export function recentSearches(): readonly RecentSearch[] {
  return recent.value.flatMap((address) => {
    const { search, around } = parsePageState(address);
    if (!search) return [];
    const { name } = search.filters;
    const hasLocation = search.centre ?? search.area ?? search.country;
    const title = [name, hasLocation && locationText(search, around)].filter(Boolean).join(" · ");
    return [
      {
        address,
        title: title || pathText(search.path),
        detail: categoriesText(search) ?? pathText(search.path),
      },
    ];
  });
}

/** Deletes the search with this hash; without one, all. */
export function forgetSearches(address?: string): void {
  write(recent.peek().filter((other) => address !== undefined && other !== address));
}

/** Returns the stored hashes; none if storage is blocked or written by other code. */
function read(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((address) => typeof address === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function write(addresses: readonly string[]): void {
  recent.value = addresses;
  try {
    localStorage.setItem(KEY, JSON.stringify(addresses));
  } catch {
    // without storage they last until the page is closed
  }
}
