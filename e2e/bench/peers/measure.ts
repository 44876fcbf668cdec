/**
 * One peer, one question, one network: asked in every state, each request counted.
 * @module
 */
import type { Browser, Page } from "@playwright/test";
import type { State } from "./arguments.ts";
import type { Timed } from "./page/main.ts";
import type { PeerName, Question } from "./question.ts";
import type { Network, SlowHost } from "./slow-host.ts";

export interface Measured {
  readonly peer: PeerName;
  readonly network: Network;
  readonly question: Question;
  readonly state: State;
  readonly ms: number;
  readonly requests: number;
  readonly bytes: number;
  /** Of the page, for the comparison of peers. */
  readonly ids: readonly string[];
  readonly total: number;
}

interface MeasureOptions {
  readonly browser: Browser;
  readonly host: SlowHost;
  readonly peer: PeerName;
  readonly network: Network;
  readonly question: Question;
  readonly states: readonly State[];
}

const PAN_METERS = 300;
const METERS_PER_DEGREE = 111_195;
/** What no person waits for. */
const GIVE_UP_MS = 60_000;

/** Asks in a browser context of its own, which nothing has filled. */
export async function measurePeer({
  browser,
  host,
  peer,
  network,
  question,
  states,
}: MeasureOptions): Promise<Measured[]> {
  const measured: Measured[] = [];
  const context = await browser.newContext();
  context.setDefaultTimeout(GIVE_UP_MS);
  const note = async (state: State, asked: Question, openMs: number, page: Page) => {
    const { ms, ids, total } = await ask(page, asked);
    const { requests, bytes } = host.sent;
    if (states.includes(state)) {
      measured.push({ peer, network, question: asked, state, ms: openMs + ms, requests, bytes, ids, total });
    }
  };
  try {
    // The page's own frame comes without delays: scripts of peers and their wasm come over the line when a peer is opened.
    host.use({ ...network, latencyMs: 0, bitsPerSecond: Number.POSITIVE_INFINITY });
    const page = await context.newPage();
    await page.goto(`${host.url}index.html`);
    host.use(network);
    host.forget();
    const openMs = await page.evaluate((name) => globalThis.openPeer(name), peer);
    if (states.includes("first")) {
      await note("first", question, openMs, page);
    } else {
      host.forget();
      await note("cold", question, 0, page);
    }
    host.forget();
    await note("warm", question, 0, page);
    host.forget();
    await note("pan", { ...question, lat: question.lat + PAN_METERS / METERS_PER_DEGREE }, 0, page);
    if (states.includes("cached")) {
      await page.reload();
      host.forget();
      const again = await page.evaluate((name) => globalThis.openPeer(name), peer);
      await note("cached", question, again, page);
    }
  } finally {
    await context.close();
  }
  return measured;
}

async function ask(page: Page, question: Question): Promise<Timed> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${question.name}: no answer after ${GIVE_UP_MS} ms`)), GIVE_UP_MS);
  });
  try {
    return await Promise.race([page.evaluate((asked) => globalThis.askPeer(asked), question), late]);
  } finally {
    clearTimeout(timer);
  }
}
