/** The state of the page. The URL determines it: a search is first written into the URL, and then run. @module */
import { batch, computed, signal } from "@preact/signals";
import { isOwnName } from "../../../data/format/own-collections.ts";
import type { Feature } from "../../engine/index.ts";
import type { AnswerReport, DatasetSummary, OpenFilter } from "../../hosts/browser/protocol/index.ts";
import { isUnanswered } from "../../hosts/browser/protocol/index.ts";
import {
  changed,
  describeOwnPaths,
  EMPTY_SEARCH,
  filtersOf,
  formatPageState,
  isComplete,
  lastPageInstead,
  MAX_RADIUS_METERS,
  type PageState,
  type Path,
  parsePageState,
  pathOfType,
  type RecordAddress,
  type Search,
  startSearch,
  type View,
} from "../address/index.ts";
import { isShop } from "../settings/map-settings.ts";
import { text } from "../text/index.ts";
import { openDataset, remote, savesData } from "../worker/index.ts";
import { nameAround } from "./chosen-location.ts";
import { createLeftLists } from "./left-lists.ts";
import { orderedArgument } from "./ordered-argument.ts";
import { panel } from "./panel.ts";
import { forget, lookAt, prefetchSteps } from "./prefetch.ts";

export interface Found {
  readonly search: Search;
  readonly records: readonly Feature[];
  /** Number of all matches, over all pages. */
  readonly total: number;
  readonly milliseconds: number;
  /** What the search read, and how; undefined for a record that was opened by its own URL. */
  readonly report?: AnswerReport;
  /** What the filter for open records did; undefined without it. */
  readonly open?: OpenFilter;
  /** The record that was opened by its own URL. `search` then contains only its path. */
  readonly alone?: RecordAddress;
}

export interface Problem {
  readonly title: string;
  readonly lines: readonly string[];
  /** Message of the engine, for the operator of the host. */
  readonly detail?: string;
  /** Whether a file of the dataset could not be read. Another try may succeed. */
  readonly isMissingFile?: boolean;
  /** Whether the page belongs to a release that is no longer available. Another try starts at the first page. */
  readonly isReplaced?: boolean;
  /** Whether the host did not answer. The search is repeated when it answers again. */
  readonly isUnanswered?: boolean;
}

export const dataset = signal<DatasetSummary | undefined>(undefined);
export const pageState = signal<PageState>({ search: undefined, record: undefined, view: undefined });
/** The current search; before the first one, what the form shows. */
export const draft = signal<Search>(EMPTY_SEARCH);
/** Invalid parts of the URL, which were left out. */
export const refused = signal<readonly string[]>([]);
export const isSearching = signal(false);
export const found = signal<Found | undefined>(undefined);
export const problem = signal<Problem | undefined>(undefined);
/** Id of the record in the list or on the map that is under the pointer, or has the keyboard focus. */
export const hovered = signal<string | undefined>(undefined);

/** View of the map in a URL that the user opened in this tab. */
export const viewWish = signal<View | undefined>(undefined);

/** The record of the search whose detail is open. */
export const selected = computed(() => {
  const id = pageState.value.record;
  if (id === undefined) return undefined;
  const besides = elsewhere.value?.id === id ? elsewhere.value : undefined;
  return found.value?.records.find((record) => record.id === id) ?? besides;
});

/** The open record if it is on another page of the list. */
const elsewhere = signal<Feature | undefined>(undefined);

/** Panel that is open while the URL shows the areas that the site offers. */
const PACKS_PANEL = "areas";
const leftLists = createLeftLists<Found>();
let running = new AbortController();
let opening: Promise<DatasetSummary> | undefined;

/** Opens the dataset, and shows what the URL says, now and when it changes. */
export function startSession(): void {
  addEventListener("popstate", () => {
    const before = pageState.peek().view;
    if (!showLeftList()) void follow();
    const { view } = pageState.peek();
    if (view && JSON.stringify(view) !== JSON.stringify(before)) viewWish.value = view;
  });
  found.subscribe((list) => list && leftLists.put(questionOf(list), list));
  panel.subscribe((name) => {
    const { isAtPacks, ...state } = pageState.peek();
    if (isAtPacks && name !== PACKS_PANEL) location.hash = formatPageState(state);
  });
  void follow();
}

/** Runs a search, and adds it to the history of the browser unless it is the current one. */
export function search(next: Search): void {
  const around = nameAround(next, pageState.peek());
  const { colourBy } = pageState.peek();
  const address = formatPageState({ search: next, around, colourBy });
  if (address !== location.hash) history.pushState(null, "", address);
  void follow();
}

/** Runs the current search with other values, from its first page. If it has no location then, only `draft` is changed. */
export function changeSearch(asked: Partial<Search>): void {
  // a customer wants the nearest shop, however far away
  const isNear = isShop && asked.centre !== undefined && asked.radiusMeters === undefined;
  const change = isNear ? { radiusMeters: MAX_RADIUS_METERS, sort: undefined, ...asked } : asked;
  const next = changed(draft.peek(), change);
  if ("path" in change) kindBefore = undefined;
  const isWide = next.path === "divisions" && next.filters.name !== undefined && !hasLocation(next);
  const kind = isWide ? undefined : kindBefore;
  if (!isWide) kindBefore = undefined;
  const meant = kind ? changed(next, { ...change, path: kind }) : next;
  if (isComplete(meant)) search(meant);
  else draft.value = meant;
}

/** Path before a search by name everywhere, which only divisions support; undefined after other searches. */
let kindBefore: Path | undefined;

/** Searches for a text in names: at the current location, otherwise in `country`. Without both, finds divisions everywhere. */
export function searchNames(name: string, country: string | undefined): void {
  const present = draft.peek();
  const { path, filters } = present;
  const here = hasLocation(present) ? {} : { country };
  const kind = kindWithNames(path);
  const isWide = !hasLocation({ ...present, ...here }) && !isOwnName(kind);
  const before = kindBefore ?? path;
  changeSearch({ path: isWide ? "divisions" : kind, filters: { ...filters, name }, ...here });
  if (isWide) kindBefore = before;
}

/** Returns the path if its records have names to search, otherwise `places`. */
export function kindWithNames(path: Path): Path {
  return filtersOf(path).includes("name") ? path : "places";
}

function hasLocation({ centre, area, country }: Search): boolean {
  return [centre, area, country].some((part) => part !== undefined);
}

/** Opens the detail of a record in the list; undefined closes it. */
export function select(id: string | undefined): void {
  if (id === pageState.value.record) return;
  const next = { ...pageState.value, record: id };
  history.pushState(null, "", formatPageState(next));
  pageState.value = next;
}

/** Opens the detail of a match, also if it is on another page of the list. */
export function openMatch(record: Feature): void {
  elsewhere.value = record;
  select(record.id);
}

/** Opens a record by its own URL. The map stays where it is. */
export function openRecord(alone: RecordAddress): void {
  const { view } = pageState.peek();
  history.pushState(null, "", formatPageState({ alone, view }));
  void follow();
}

/** Writes the visible part of the map into the URL, and prefetches the index there. */
export function rememberView(view: View): void {
  lookAt(view, draft.peek());
  const next = { ...pageState.value, view };
  history.replaceState(null, "", formatPageState(next));
  pageState.value = next;
}

/** Colours the results on the map by a column; undefined: one colour. */
export function colourBy(column: string | undefined): void {
  const next = { ...pageState.value, colourBy: column };
  history.replaceState(null, "", formatPageState(next));
  pageState.value = next;
}

/** Runs the current search again; if its release is no longer available, from its first page. */
export function retry(): void {
  const asked = pageState.peek().search;
  if (problem.peek()?.isReplaced && asked) {
    search({ ...asked, page: 0 });
    return;
  }
  found.value = undefined;
  void follow();
}

/** Maximum length of the list. More records would only use memory: a new list starts with the next page. */
const MOST_LISTED = 5000;

/** State of reading the next page of the list. */
export const moreState = signal<"idle" | "reading" | "failed">("idle");

/** Returns how many records are in the list and on the pages before it. */
export function listedUntil({ search, records }: Pick<Found, "search" | "records">): number {
  return search.page * search.limit + records.length;
}

/**
 * Reads the next page and adds it to the list. A list of 5000 records is replaced by the next page instead. A failure is in
 * `moreState`.
 */
export async function showMore(): Promise<void> {
  const list = found.peek();
  if (!list || list.alone || isSearching.peek() || moreState.peek() === "reading") return;
  const { records, total } = list;
  const next = { ...list.search, page: Math.floor(listedUntil(list) / list.search.limit) };
  if (listedUntil(list) >= total) return;
  if (records.length >= MOST_LISTED) {
    search(next);
    return;
  }
  moreState.value = "reading";
  try {
    const answer = await carryOut(next, running.signal);
    // the same search, so that the list keeps its position
    if (found.peek() === list)
      found.value = { ...list, ...answer, search: list.search, records: [...records, ...answer.records] };
    moreState.value = "idle";
  } catch (error) {
    if (found.peek() !== list) return;
    const reason = problemOf(error);
    moreState.value = reason.isReplaced ? "idle" : "failed";
    if (!reason.isReplaced) return;
    found.value = undefined;
    problem.value = reason;
  }
}

/** Shows what the URL says, before its search is answered. */
function showState(): PageState {
  const { refused: left, ...next } = parsePageState(location.hash);
  const { isAtPacks } = pageState.peek();
  batch(() => {
    pageState.value = next;
    if (next.isAtPacks) panel.value = PACKS_PANEL;
    else if (isAtPacks && panel.peek() === PACKS_PANEL) panel.value = undefined;
    draft.value = next.search ?? startSearch(dataset.peek());
    refused.value = left;
  });
  return next;
}

/** Shows the list of the URL as the user left it. Returns false if it is shown or not in memory. */
function showLeftList(): boolean {
  const list = leftLists.get(questionOf(parsePageState(location.hash)));
  if (!list || (list === found.peek() && !isSearching.peek())) return false;
  endSearch();
  // in one batch, so that the page is drawn once
  batch(() => {
    showState();
    problem.value = undefined;
    isSearching.value = false;
    found.value = list;
  });
  const { search, record } = pageState.peek();
  if (search && record !== undefined) void lookUpMatch(search.path, record, running.signal);
  return true;
}

/** Ends the running search and what was prefetched after the last one. */
function endSearch(): void {
  forget();
  running.abort();
  running = new AbortController();
  moreState.value = "idle";
}

async function follow(): Promise<void> {
  let next = showState();
  const { alone } = next;
  const isAsked = next.search !== undefined || alone !== undefined;
  const isAnswered = isAsked && found.value && questionOf(found.value) === questionOf(next);
  if (isAnswered && !problem.value && !isSearching.value) return;

  endSearch();
  const { signal } = running;
  const before = found.peek()?.search;
  problem.value = undefined;
  isSearching.value = isAsked;
  if (!isAsked) found.value = undefined;
  try {
    const isFirst = dataset.peek() === undefined;
    const isOpen = opened();
    // only the dataset knows the columns of its own collections
    const isOwn = next.search !== undefined && isOwnName(next.search.path);
    // sent at once, because its answer needs nothing of the page, which is busy
    const early = isFirst && next.search && !alone && !isOwn ? carryOut(next.search, signal) : undefined;
    early?.catch(() => {});
    await isOpen;
    if (signal.aborted) return;
    if (isFirst && isOwn) next = showState();
    if (isShop && !isAsked && startAtAll(next)) return;
    const answer = alone
      ? await lookUp(alone, signal)
      : next.search && (await (early ?? carryOut(next.search, signal)));
    if (signal.aborted) return;
    const last = answer && lastPageInstead(answer);
    if (last === undefined) {
      found.value = answer;
      if (next.search) prefetchSteps(before, next.search);
      if (next.search && next.record !== undefined) void lookUpMatch(next.search.path, next.record, signal);
    } else followInstead({ ...next, search: last });
  } catch (error) {
    if (!signal.aborted) {
      found.value = undefined;
      problem.value = problemOf(error);
    }
  } finally {
    if (!signal.aborted) isSearching.value = false;
  }
}

/** Length of a page on a map of shops. Most chains have fewer shops, so all of them are on the map. */
const SHOP_PAGE = 100;

/** On a map of shops without a search, searches all shops. Returns whether it does. */
function startAtAll(state: PageState): boolean {
  const all: Search = { ...startSearch(dataset.peek()), sort: "name", limit: SHOP_PAGE };
  if (state.isAtPacks || !isComplete(all)) return false;
  history.replaceState(null, "", formatPageState({ ...state, search: all }));
  void follow();
  return true;
}

/** Shows the last page because the requested one does not exist, and a message about that. */
function followInstead(next: PageState & { readonly search: Search }): void {
  const page = pageState.peek().search?.page;
  history.replaceState(null, "", formatPageState(next));
  void follow();
  refused.value = [...refused.peek(), `page=${page} (0–${next.search.page})`];
}

/** Uses the dataset, which may be a new release, for later searches. */
export function showDataset(summary: DatasetSummary): void {
  if (summary.sha256 !== dataset.peek()?.sha256) leftLists.clear();
  batch(() => {
    describeOwnPaths(summary);
    dataset.value = summary;
  });
}

async function opened(): Promise<void> {
  opening ??= openDataset();
  try {
    const summary = await opening;
    batch(() => {
      showDataset(summary);
      // nothing was chosen yet, and the dataset may lack the default path
      if (draft.peek() === EMPTY_SEARCH) draft.value = startSearch(summary);
    });
  } catch (error) {
    opening = undefined;
    throw error;
  }
}

async function carryOut(search: Search, signal: AbortSignal): Promise<Found> {
  const start = performance.now();
  const argument = orderedArgument(search);
  const release = releaseOfList(search);
  const parameters = release === undefined ? argument.parameters : { ...argument.parameters, release };
  const answer = await remote("search", { ...argument, parameters }, signal);
  if (answer.kind === "refused") throw new RefusedError(answer.faults);
  const { total, body: records, report, open } = answer;
  return { search, records, total, milliseconds: performance.now() - start, report, ...(open ? { open } : {}) };
}

/**
 * Returns the release of the list if the search is for another page of it: pages of two releases would omit or repeat records.
 */
function releaseOfList(search: Search): string | undefined {
  const shown = found.peek();
  if (search.page === 0 || !shown || shown.alone) return undefined;
  const listOf = (one: Search) => formatPageState({ search: { ...one, page: 0 } });
  return listOf(shown.search) === listOf(search) ? shown.report?.release : undefined;
}

/** Reads the record whose detail is open if it is not in the list. */
async function lookUpMatch(path: Path, id: string, signal: AbortSignal): Promise<void> {
  if (selected.peek()) return;
  try {
    const record = await remote("find", { path: `/${path}`, id }, signal);
    if (record && !signal.aborted) elsewhere.value = record;
  } catch (error) {
    if (!signal.aborted) showProblem(error);
  }
}

/** Reads the record of a URL; nothing is found if there is none. */
async function lookUp(alone: RecordAddress, signal: AbortSignal): Promise<Found> {
  const start = performance.now();
  const path = pathOfType(alone.type);
  const record = await remote("find", { path: `/${path}`, id: alone.id, near: alone.at }, signal);
  const records = record ? [record] : [];
  return {
    search: { ...EMPTY_SEARCH, path },
    records,
    total: records.length,
    milliseconds: performance.now() - start,
    alone,
  };
}

/** Returns a text that is equal for searches with the same answer. */
function questionOf({ search, alone }: Pick<PageState, "search" | "alone">): string {
  return formatPageState({ search: alone ? undefined : search, alone });
}

/** The engine refused the search. Each fault is a line for the user. */
class RefusedError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("; "));
    this.faults = faults;
  }
}

/** Names of errors that the engine throws if a file of the dataset cannot be read. */
const FILE_ERRORS: ReadonlySet<string> = new Set(["FetchError", "DecodeError", "ManifestError", "PartError"]);

/** Shows why something that the user asked for could not be read. */
export function showProblem(error: unknown): void {
  problem.value = problemOf(error);
}

function problemOf(error: unknown): Problem {
  if (error instanceof RefusedError) return { title: text("problem.refused"), lines: error.faults };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === "ReleaseError") {
    return {
      title: text("problem.release"),
      lines: [text("problem.releaseAdvice")],
      detail: message,
      isReplaced: true,
    };
  }
  const lines = name === "SignatureError" ? [text("problem.signature")] : advice(isUnanswered(error));
  const isMissingFile = dataset.peek() !== undefined && FILE_ERRORS.has(name);
  const title = text(isMissingFile ? "problem.part" : "problem.dataset");
  return { title, lines, detail: message, isMissingFile, isUnanswered: isUnanswered(error) };
}

/**
 * Returns what the user can do: open the page by https:, without which browsers cannot check files. If the host did not answer,
 * says that the search is repeated, or if the user saves data, what to check.
 */
function advice(isUnanswered: boolean): string[] {
  if (!isSecureContext) return [text("problem.notSecure")];
  return isUnanswered ? [text(savesData() ? "problem.connection" : "problem.again")] : [];
}
