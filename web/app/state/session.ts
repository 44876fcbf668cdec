/** The page's state. The address is the source: a search is written there first, then carried out. @module */
import { batch, computed, signal } from "@preact/signals";
import type { Feature } from "../../engine/index.ts";
import type { AnswerReport, DatasetSummary } from "../../hosts/browser/protocol/index.ts";
import { isUnanswered } from "../../hosts/browser/protocol/index.ts";
import {
  changed,
  EMPTY_SEARCH,
  filtersOf,
  formatPageState,
  isComplete,
  lastPageInstead,
  type PageState,
  type Path,
  parsePageState,
  pathOfType,
  type RecordAddress,
  type Search,
  startSearch,
  type View,
} from "../address/index.ts";
import { text } from "../text/index.ts";
import { openDataset, remote, savesData } from "../worker/index.ts";
import { nameAround } from "./chosen-place.ts";
import { foreseeSteps, forget, lookAt } from "./foresight.ts";
import { orderedArgument } from "./ordered-argument.ts";
import { panel } from "./panel.ts";

/** What a search found. */
export interface Found {
  readonly search: Search;
  readonly records: readonly Feature[];
  /** All that match, over all pages. */
  readonly total: number;
  readonly milliseconds: number;
  /** How it was found; undefined when it was at hand. */
  readonly report?: AnswerReport;
  /** The record that was looked up by its own address; `search` then says no more than its path. */
  readonly alone?: RecordAddress;
}

/** Something the reader has to know about. */
export interface Problem {
  readonly title: string;
  readonly lines: readonly string[];
  /** What the engine says of it: for whoever looks after the host. */
  readonly detail?: string;
  /** Whether a file of the dataset could not be had: then it may be had later. */
  readonly isMissingFile?: boolean;
  /** Whether nobody answered: then the same is asked again when somebody does. */
  readonly isUnanswered?: boolean;
}

export const dataset = signal<DatasetSummary | undefined>(undefined);
export const pageState = signal<PageState>({ search: undefined, record: undefined, view: undefined });
/** The present search; before the first one, what was chosen for it. */
export const draft = signal<Search>(EMPTY_SEARCH);
/** Parts of the address that make no sense here and were left out. */
export const refused = signal<readonly string[]>([]);
export const isSearching = signal(false);
export const found = signal<Found | undefined>(undefined);
export const problem = signal<Problem | undefined>(undefined);
/** Id of the record under the pointer or the keyboard's focus, in list or map. */
export const hovered = signal<string | undefined>(undefined);

export const selected = computed(() => {
  const id = pageState.value.record;
  return id === undefined ? undefined : found.value?.records.find((record) => record.id === id);
});

/** What an address with the areas that stand ready opens. */
const PACKS_PANEL = "areas";
let running = new AbortController();
let opening: Promise<DatasetSummary> | undefined;

/** Opens the dataset and shows what the address asks for; from then on follows the address. */
export function startSession(): void {
  addEventListener("popstate", () => void follow());
  panel.subscribe((name) => {
    const { isAtPacks, ...state } = pageState.peek();
    if (isAtPacks && name !== PACKS_PANEL) location.hash = formatPageState(state);
  });
  void follow();
}

/** Carries out a search, as a new entry of the history unless it is the present one. */
export function search(next: Search): void {
  const around = nameAround(next, pageState.peek());
  const address = formatPageState({ search: next, around });
  if (address !== location.hash) history.pushState(null, "", address);
  void follow();
}

/** Carries out the present search with other values, from its first page, as soon as it says where. */
export function changeSearch(change: Partial<Search>): void {
  const next = changed(draft.peek(), change);
  if ("path" in change) kindBefore = undefined;
  const isWide = next.path === "divisions" && next.filters.name !== undefined && !isPlaced(next);
  const kind = isWide ? undefined : kindBefore;
  if (!isWide) kindBefore = undefined;
  const meant = kind ? changed(next, { ...change, path: kind }) : next;
  if (isComplete(meant)) search(meant);
  else draft.value = meant;
}

/** The kind that was chosen before names were looked for all over the world, where divisions alone can be found by them. */
let kindBefore: Path | undefined;

/** Searches for names where the present search is, or in `country`; with neither, for divisions all over the world. */
export function searchNames(name: string, country: string | undefined): void {
  const present = draft.peek();
  const { path, filters } = present;
  const here = isPlaced(present) ? {} : { country };
  const kind = filtersOf(path).includes("name") ? path : "places";
  const isWide = !isPlaced({ ...present, ...here });
  const before = kindBefore ?? path;
  changeSearch({ path: isWide ? "divisions" : kind, filters: { ...filters, name }, ...here });
  if (isWide) kindBefore = before;
}

function isPlaced({ centre, area, country }: Search): boolean {
  return [centre, area, country].some((place) => place !== undefined);
}

/** Opens the detail of a record of this page of results; closes it with undefined. */
export function select(id: string | undefined): void {
  if (id === pageState.value.record) return;
  const next = { ...pageState.value, record: id };
  history.pushState(null, "", formatPageState(next));
  pageState.value = next;
}

/** Notes in the address what the map shows, and has the engine know of it. */
export function rememberView(view: View): void {
  lookAt(view, draft.peek());
  const next = { ...pageState.value, view };
  history.replaceState(null, "", formatPageState(next));
  pageState.value = next;
}

/** Carries out the present search again. */
export function retry(): void {
  found.value = undefined;
  void follow();
}

async function follow(): Promise<void> {
  const { refused: left, ...next } = parsePageState(location.hash);
  const { isAtPacks } = pageState.peek();
  batch(() => {
    pageState.value = next;
    if (next.isAtPacks) panel.value = PACKS_PANEL;
    else if (isAtPacks && panel.peek() === PACKS_PANEL) panel.value = undefined;
    draft.value = next.search ?? startSearch(dataset.peek());
    refused.value = left;
  });
  const { alone } = next;
  const isAsked = next.search !== undefined || alone !== undefined;
  const isAnswered = isAsked && found.value && questionOf(found.value) === questionOf(next);
  if (isAnswered && !problem.value && !isSearching.value) return;

  forget();
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const before = found.peek()?.search;
  problem.value = undefined;
  isSearching.value = isAsked;
  if (!isAsked) found.value = undefined;
  try {
    await opened();
    const answer = alone ? await lookUp(alone, signal) : next.search && (await carryOut(next.search, signal));
    if (signal.aborted) return;
    const last = answer && lastPageInstead(answer);
    if (last === undefined) {
      found.value = answer;
      if (next.search) foreseeSteps(before, next.search);
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

/** Goes on with the last page when the one that was asked for does not exist, and says so. */
function followInstead(next: PageState & { readonly search: Search }): void {
  const page = pageState.peek().search?.page;
  history.replaceState(null, "", formatPageState(next));
  void follow();
  refused.value = [...refused.peek(), `page=${page} (0–${next.search.page})`];
}

async function opened(): Promise<void> {
  opening ??= openDataset();
  try {
    const summary = await opening;
    batch(() => {
      dataset.value = summary;
      // nothing was chosen yet: the dataset may lack the usual path
      if (draft.peek() === EMPTY_SEARCH) draft.value = startSearch(summary);
    });
  } catch (error) {
    opening = undefined;
    throw error;
  }
}

async function carryOut(search: Search, signal: AbortSignal): Promise<Found> {
  const start = performance.now();
  const answer = await remote("search", orderedArgument(search), signal);
  if (answer.kind === "refused") throw new RefusedError(answer.faults);
  const { total, body: records, report } = answer;
  return { search, records, total, milliseconds: performance.now() - start, report };
}

/** The record, or nothing found when there is none. */
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

/** The same for searches that have the same answer. */
function questionOf({ search, alone }: Pick<PageState, "search" | "alone">): string {
  return formatPageState({ search: alone ? undefined : search, alone });
}

/** The engine does not take the search: a line for each fault. */
class RefusedError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("; "));
    this.faults = faults;
  }
}

/** Errors of the engine when a file of the dataset cannot be had or read. */
const FILE_ERRORS: ReadonlySet<string> = new Set(["FetchError", "DecodeError", "ManifestError"]);

function problemOf(error: unknown): Problem {
  if (error instanceof RefusedError) return { title: text("problem.refused"), lines: error.faults };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const lines = advice(isUnanswered(error));
  const isMissingFile = dataset.peek() !== undefined && FILE_ERRORS.has(name);
  const title = text(isMissingFile ? "problem.part" : "problem.dataset");
  return { title, lines, detail: message, isMissingFile, isUnanswered: isUnanswered(error) };
}

/** Says whether the search is repeated: only if nobody answered, and not by the clock where the reader saves data. */
function advice(isUnanswered: boolean): string[] {
  return isUnanswered ? [text(savesData() ? "problem.connection" : "problem.again")] : [];
}
