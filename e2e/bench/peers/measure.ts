/**
 * Asks one peer one question over one network, in every state, and counts each request.
 * @module
 */
import type { Browser, Page } from "@playwright/test";
import type { Answer, PeerName, Place, Question } from "./question.ts";
import { NETWORKS, type Network, type Sent, type SlowHost } from "./slow-host.ts";
import { type State, statesOf, type VisitName, visitOf } from "./visits.ts";

/** A question in a state over a network. */
export interface Cell {
  readonly peer: PeerName;
  readonly network: Network;
  readonly question: Question;
  readonly state: State;
}

export interface Measured extends Cell, Answer, Sent {
  readonly ms: number;
}

/** A failed question, with the reason. */
export interface Failed extends Cell {
  readonly failure: string;
}

export interface MeasureOptions {
  readonly browser: Browser;
  readonly host: SlowHost;
  readonly peer: PeerName;
  readonly network: Network;
  readonly question: Question;
  readonly states: readonly State[];
}

const PAN_METERS = 300;
const METERS_PER_DEGREE = 111_195;
/** Users would not wait longer. */
const GIVE_UP_MS = 60_000;
const LATE = `over ${GIVE_UP_MS / 1000} s`;
const NOT_ASKED = `not asked after an answer of ${LATE}`;
/** Opening, when it is not measured, may take longer: an engine has to be downloaded and compiled. */
const OPEN_MS = 300_000;
/** Pause between searches, as for a user: the browser finishes opening the page, and the page preloads. */
const REST_MS = 3000;

/** How to reach the states, each in a new browser context. A state continues from those before it. */
const VISITS: Readonly<Record<VisitName, Visit>> = {
  opening: async ({ host, peer, network }, page, state) => {
    if (state === "cached") {
      host.use(NETWORKS.none);
      await page.reload();
    }
    host.use(network);
    host.forget();
    return inTime(GIVE_UP_MS, () => page.evaluate((name) => globalThis.openPeer(name), peer));
  },
  opened: async ({ host, peer, network, question }, page, state) => {
    if (state === "cold") {
      const shown = [peer, placeOf(question)] as const;
      await inTime(OPEN_MS, () => page.evaluate(([name, place]) => globalThis.openPeer(name, place), shown));
      await page.waitForTimeout(REST_MS);
    }
    host.use(network);
    if (state === "pan") {
      await inTime(GIVE_UP_MS, () => page.evaluate((asked) => globalThis.askPeer(asked), panned(question, 1)));
      await page.waitForTimeout(REST_MS);
    }
    host.forget();
    return 0;
  },
};

/** The position that the map shows for the question. */
function placeOf(question: Question): Place | undefined {
  return "lat" in question ? { lon: question.lon, lat: question.lat } : undefined;
}

/** Prepares the page for the state. Returns the milliseconds that count. */
type Visit = (options: MeasureOptions, page: Page, state: State) => Promise<number>;

/** Asks in all states. A failure ends the visit. Throws if the states belong to several visits. */
export async function measurePeer(options: MeasureOptions): Promise<(Measured | Failed)[]> {
  const { browser, host, peer, network } = options;
  const wanted = options.states.filter((state) => state !== "pan" || isOnMap(options.question));
  const [any] = wanted;
  if (!any) return [];
  const visit = visitOf(any);
  const states = statesOf(visit);
  const other = wanted.find((state) => visitOf(state) !== visit);
  if (other) throw new Error(`states are ${any} and ${other}, expected those of one visit: ${states.join(", ")}`);
  const results: (Measured | Failed)[] = [];
  const context = await browser.newContext();
  try {
    // Loading the benchmark's page is not delayed. Scripts and wasm of peers use the network when a peer is opened.
    host.use(NETWORKS.none);
    const page = await context.newPage();
    await page.goto(`${host.url}index.html`);
    for (const state of states.slice(0, states.indexOf(wanted.at(-1) ?? any) + 1)) {
      const question = state === "pan" ? panned(options.question, 2) : options.question;
      const cell = { peer, network, question };
      try {
        const openMs = await VISITS[visit](options, page, state);
        const timed = await inTime(GIVE_UP_MS, () => page.evaluate((asked) => globalThis.askPeer(asked), question));
        if (wanted.includes(state)) results.push({ ...cell, ...timed, ...host.sent(), state, ms: openMs + timed.ms });
      } catch (error) {
        const failure = (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
        const lost = states.slice(states.indexOf(state)).filter((later) => wanted.includes(later));
        results.push(...lost.map((later) => ({ ...cell, state: later, failure })));
        break;
      }
    }
  } finally {
    await context.close();
  }
  return results;
}

/** True if users would not have waited. */
export function isLate(result: Measured | Failed): boolean {
  return "failure" in result && result.failure === LATE;
}

/** True if the question was not asked. */
export function isNotAsked(result: Measured | Failed): boolean {
  return "failure" in result && result.failure === NOT_ASKED;
}

/** The result for a question that would take as long as a late one. */
export function notAsked({ peer, network, question, states }: Omit<MeasureOptions, "browser" | "host">): Failed[] {
  return states
    .filter((state) => state !== "pan" || isOnMap(question))
    .map((state) => {
      return { peer, network, question, state, failure: NOT_ASKED };
    });
}

function isOnMap(question: Question): boolean {
  return question.kind === "circle" || question.kind === "filter";
}

function panned(question: Question, steps: number): Question {
  return "lat" in question ? { ...question, lat: question.lat + (steps * PAN_METERS) / METERS_PER_DEGREE } : question;
}

async function inTime<T>(mostMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`over ${mostMs / 1000} s`)), mostMs);
  });
  const worked = work();
  // After a time-out, it fails when its context closes.
  worked.catch(() => {});
  try {
    return await Promise.race([worked, late]);
  } finally {
    clearTimeout(timer);
  }
}
