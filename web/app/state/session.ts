/**
 * The page's state and what changes it. The address is the source: every search is put there first, then carried out.
 * @module
 */
import { computed, signal } from "@preact/signals";
import type { Feature } from "../../engine/query.ts";
import { type Area, MAX_IN_CIRCLE } from "../../hosts/browser/area/area.ts";
import type { AreaQuestion } from "../../hosts/browser/area/search-area.ts";
import type { DatasetSummary, RestAnswer } from "../../hosts/browser/protocol.ts";
import { text } from "../text/text.ts";
import { openDataset, remote } from "./engine.ts";
import {
  formatPageState,
  PAGE_SIZES,
  type PageState,
  parsePageState,
  restAddress,
  type Search,
  type View,
} from "./search.ts";

/** What a search found. */
export interface Found {
  readonly search: Search;
  readonly records: readonly Feature[];
  /** All that match, over all pages. */
  readonly total: number;
  readonly milliseconds: number;
}

/** Something the reader has to know about. */
export interface Problem {
  readonly title: string;
  readonly lines: readonly string[];
}

export const dataset = signal<DatasetSummary | undefined>(undefined);
export const pageState = signal<PageState>({ search: undefined, record: undefined, view: undefined });
export const isSearching = signal(false);
export const found = signal<Found | undefined>(undefined);
export const problem = signal<Problem | undefined>(undefined);
/** Id of the record under the pointer or the keyboard's focus, in list or map. */
export const hovered = signal<string | undefined>(undefined);

export const selected = computed(() => {
  const id = pageState.value.record;
  return id === undefined ? undefined : found.value?.records.find((record) => record.id === id);
});

let running = new AbortController();
let opening: Promise<DatasetSummary> | undefined;

/** Opens the dataset and shows what the address asks for; from then on follows the address. */
export function startSession(): void {
  addEventListener("popstate", () => void follow());
  void follow();
}

/** Carries out a search, as a new entry of the history. */
export function search(next: Search): void {
  history.pushState(null, "", formatPageState({ search: next, record: undefined, view: undefined }));
  void follow();
}

/** Opens the detail of a record of this page of results; closes it with undefined. */
export function select(id: string | undefined): void {
  if (id === pageState.value.record) return;
  const next = { ...pageState.value, record: id };
  history.pushState(null, "", formatPageState(next));
  pageState.value = next;
}

/** Notes in the address what the map shows. */
export function rememberView(view: View): void {
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
  const next = parsePageState(location.hash);
  pageState.value = next;
  const isAnswered = next.search && found.value && addressOf(found.value.search) === addressOf(next.search);
  if (isAnswered && !problem.value && !isSearching.value) return;

  running.abort();
  running = new AbortController();
  const { signal } = running;
  problem.value = undefined;
  isSearching.value = next.search !== undefined;
  if (!next.search) found.value = undefined;
  try {
    await opened();
    if (next.search) {
      const answer = await carryOut(next.search, signal);
      if (!signal.aborted) found.value = answer;
    }
  } catch (error) {
    if (!signal.aborted) {
      found.value = undefined;
      problem.value = error instanceof RefusedError ? error.problem : engineProblem(error);
    }
  } finally {
    if (!signal.aborted) isSearching.value = false;
  }
}

async function opened(): Promise<void> {
  opening ??= openDataset();
  try {
    dataset.value = await opening;
  } catch (error) {
    opening = undefined;
    throw error;
  }
}

async function carryOut(search: Search, signal: AbortSignal): Promise<Found> {
  const start = performance.now();
  const answer = await (search.area
    ? remote("askArea", areaQuestion(search, search.area), signal)
    : remote("ask", restAddress(search), signal));
  if (answer.status !== 200) throw new RefusedError(answer);
  return {
    search,
    records: answer.body as readonly Feature[],
    total: Number(answer.headers["pagination-count"] ?? Number.NaN),
    milliseconds: performance.now() - start,
  };
}

function areaQuestion(search: Search, area: Area): AreaQuestion {
  const { page, limit } = search;
  return { address: restAddress({ ...search, page: 0, limit: PAGE_SIZES[0] }), area, page, limit };
}

/** Two searches with the same address have the same answer. */
function addressOf(search: Search): string {
  return formatPageState({ search, record: undefined, view: undefined });
}

class RefusedError extends Error {
  readonly problem: Problem;

  constructor({ status, headers, body }: RestAnswer) {
    super(`answer ${status}`);
    const { message } = (body ?? {}) as { message?: unknown };
    const lines = Array.isArray(message) ? message.map(String) : [];
    this.problem =
      status === 422
        ? {
            title: text("area.too-large"),
            lines: [
              text("area.too-many", { total: Number(headers["pagination-count"]), most: MAX_IN_CIRCLE }),
              text("area.draw-smaller"),
            ],
          }
        : status === 503
          ? {
              title: "Part of the map data could not be loaded",
              lines: [...lines, "Check the connection, then try again."],
            }
          : { title: "This search could not be answered", lines };
  }
}

function engineProblem(error: unknown): Problem {
  return {
    title: "The map data could not be opened",
    lines: [error instanceof Error ? error.message : String(error), "Check the connection, then try again."],
  };
}
