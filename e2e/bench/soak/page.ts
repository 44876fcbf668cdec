/**
 * Checks that memory of the built page stays constant: random searches in Chromium with the page's worker, with a cache
 * too small for all partitions; some in the page, which draws them. Needs Linux. `npm run soak:page -- --minutes 60
 * --gibibytes 2`
 * @module
 */
import type { Page } from "@playwright/test";
import { type Random, randomFrom } from "../../../web/engine/testing/random.ts";
import { readOptions } from "../../support/options.ts";
import { withBuiltPage } from "../built-page.ts";
import { watchMemory, watchWasm } from "./renderer-memory.ts";
import { judge, lineOf, type Sample } from "./trend.ts";

const SAMPLES = 30;
/** Searches between checks of the time. */
const BATCH = 50;
const PATHS = ["places", "buildings", "addresses", "base", "transportation", "divisions"] as const;
const COUNTRIES = ["US", "MC", "FR", "JP", "IT"] as const;
const WORDS = ["ca", "rue", "st", "saint", "boulder", "monaco", "ma", "condamine"] as const;
const PLACES = [
  { lat: 40.015, lng: -105.27 },
  { lat: 43.735, lng: 7.42 },
  { lat: 48.86, lng: 2.35 },
  { lat: 35.68, lng: 139.7 },
] as const;
const TILE_ZOOM = 14;

/** A call of the worker: its name in `RemoteCalls`, and its argument. */
type WorkerCall = readonly [name: string, argument: unknown];

/** A search with parameters of the REST interface. */
interface RandomSearch {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

declare global {
  /** Makes calls one after the other. Returns the failures. */
  var callAll: (calls: readonly WorkerCall[]) => Promise<readonly string[]>;
}

function randomPoint(random: Random): { lat: number; lng: number } {
  const { lat, lng } = random.of(PLACES);
  return { lat: lat + random.spread(0.05), lng: lng + random.spread(0.05) };
}

function randomSearch(random: Random, limit: number): RandomSearch {
  const path = random.of(PATHS);
  if (random.below(5) === 0) return { path, parameters: { country: random.of(COUNTRIES), limit: String(limit) } };
  const { lat, lng } = randomPoint(random);
  const radius = random.magnitude(10, 20_000);
  const name = random.below(5) === 0 ? { name: random.of(WORDS) } : {};
  const page = limit === 25 ? random.of([0, 0, 4]) : 0;
  const numbers = { lat, lng, radius, limit, page };
  const texts = Object.entries(numbers).map(([key, value]) => [key, String(value)] as const);
  return { path, parameters: { ...Object.fromEntries(texts), ...name } };
}

const callOf = ({ path, parameters }: RandomSearch): WorkerCall => ["search", { path: `/${path}`, parameters }];

function randomCall(random: Random): WorkerCall {
  const kind = random.below(20);
  if (kind === 0) return ["tile", { map: "local", language: "en", ...tileAt(randomPoint(random)) }];
  if (kind === 1) return callOf(MANY);
  if (kind > 3) return callOf(randomSearch(random, random.of([1, 25, 1000])));
  const place = { near: randomPoint(random), country: random.of(["US", "MC"]) };
  return ["suggest", { text: random.of(WORDS), ...place, limit: 10 }];
}

/** The Web Mercator tile that contains a point. */
function tileAt({ lat, lng }: { lat: number; lng: number }): { z: number; x: number; y: number } {
  const tiles = 2 ** TILE_ZOOM;
  const mercator = Math.asinh(Math.tan((lat * Math.PI) / 180));
  return {
    z: TILE_ZOOM,
    x: Math.floor(((lng + 180) / 360) * tiles),
    y: Math.floor(((1 - mercator / Math.PI) / 2) * tiles),
  };
}

/** Shares the page's channel to its worker: `callAll` then calls the worker with its own ids. */
async function shareWorker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const FIRST_ID = 1_000_000_000;
    let lastId = FIRST_ID;
    let shared: Worker | undefined;
    const waiting = new Map<number, (refused: string | undefined) => void>();
    window.Worker = class extends Worker {
      constructor(...parts: ConstructorParameters<typeof Worker>) {
        super(...parts);
        if (!String(parts[0]).includes("page-worker")) return;
        shared = this;
        this.addEventListener("message", ({ data }) => {
          const settle = waiting.get(data.id);
          if (!settle || data.kind === "slice" || data.kind === "progress") return;
          waiting.delete(data.id);
          if (data.kind === "failure") settle(data.error.message);
          else settle(data.value?.kind === "refused" ? data.value.faults.join("; ") : undefined);
        });
      }
    };
    globalThis.callAll = async (calls) => {
      const refused: string[] = [];
      for (const [name, argument] of calls) {
        lastId += 1;
        const id = lastId;
        const answer = new Promise<string | undefined>((resolve) => waiting.set(id, resolve));
        if (!shared) throw new Error("the page has started no worker");
        shared.postMessage({ kind: "call", id, name, argument });
        const wrong = await answer;
        if (wrong !== undefined) refused.push(`${name} ${JSON.stringify(argument)}: ${wrong}`);
      }
      return refused;
    };
  });
}

/** Makes the worker see a small device, and watches its WebAssembly memory, before the engine starts. */
async function prepareWorker(page: Page, gibibytes: number): Promise<void> {
  const isSmall = new Promise<void>((resolve, reject) => {
    page.on("worker", (worker) => {
      if (!worker.url().includes("page-worker")) return;
      Promise.all([
        worker.evaluate((value) => void Object.defineProperty(navigator, "deviceMemory", { value }), gibibytes),
        worker.evaluate(watchWasm),
      ]).then(() => resolve(), reject);
    });
  });
  await page.route("**/assets/engine-*.js", async (route) => {
    await isSmall;
    await route.continue();
  });
}

async function ask(page: Page, calls: readonly WorkerCall[]): Promise<void> {
  const refused = await page.evaluate((calls) => callAll(calls), calls);
  if (refused.length > 0) throw new Error(`not answered: ${refused.join("\n")}`);
}

/** The maximum rows of an answer. */
const MANY: RandomSearch = {
  path: "transportation",
  parameters: { lat: String(PLACES[0].lat), lng: String(PLACES[0].lng), radius: "50000", limit: "25000" },
};

const { values, refuse } = readOptions({
  usage: "npm run soak:page -- [--minutes 60] [--gibibytes 2]",
  options: {
    minutes: { type: "string", default: "60" },
    gibibytes: { type: "string", default: "2" },
  },
});
const minutes = Number(values.minutes);
const gibibytes = Number(values.gibibytes);
if (!(minutes > 0 && gibibytes > 0)) throw refuse("--minutes and --gibibytes (of the device) are numbers above 0");

await withBuiltPage(async (browser, host) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
  const watched = await watchMemory(browser, page, "page-worker");
  await shareWorker(page);
  await prepareWorker(page, gibibytes);
  await page.goto(`${host.url}#/places?lat=40.0165&lng=-105.271&radius=1000`);
  await page.getByText(/places found/).waitFor();

  const random = randomFrom(20261122);
  const startMs = performance.now();
  const samples: Sample[] = [];
  let searches = 0;
  let leastProcess = Infinity;
  while (samples.length < SAMPLES) {
    const { path, parameters } = randomSearch(random, 25);
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      `#/${path}?${new URLSearchParams(parameters)}`,
    );
    const calls = Array.from({ length: BATCH }, () => randomCall(random));
    await ask(page, calls);
    searches += BATCH;
    leastProcess = Math.min(leastProcess, await watched.processMiB());
    const minute = (performance.now() - startMs) / 60_000;
    if (minute < ((samples.length + 1) * minutes) / SAMPLES) continue;
    const { processMiB, ...memory } = await watched.measure();
    // The minimum since the last sample, because heaps keep free memory.
    const sample = { minute, searches, memory: { ...memory, processMiB: Math.min(processMiB, leastProcess) } };
    leastProcess = Infinity;
    samples.push(sample);
    console.log(lineOf(sample));
  }
  const isFlat = judge(samples, ["pageMiB", "workerMiB", "buffersMiB", "wasmMiB", "processMiB"]);
  console.log(`${searches} searches on a device of ${gibibytes} GiB: ${isFlat ? "flat" : "not flat"}`);
  process.exitCode = isFlat ? 0 : 1;
});
