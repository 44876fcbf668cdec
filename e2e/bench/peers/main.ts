/**
 * `npm run bench`: compares searches of Cairn with its alternatives, in Chromium, over a network with latency and
 * limited
 * bandwidth. Runs are interleaved: each peer is asked once before any is asked again. Exits with 1 if Cairn's answers
 * differ from each other. Different answers of peers are reported, and left out of the ratios.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import type { Browser } from "@playwright/test";
import { launchBrowser } from "../../support/launch-browser.ts";
import { writeResult } from "../results.ts";
import { readBenchOptions } from "./arguments.ts";
import { buildBenchPage } from "./build-page.ts";
import { makeCertificate, trustArgument } from "./certificate.ts";
import { type BenchData, ensurePeers, ensureSynthetic } from "./data.ts";
import { geojsonProof } from "./geojson-proof.ts";
import {
  ANSWER_LIMITS,
  fixedQuestion,
  GROWING_PEERS,
  growingQuestion,
  growthPlot,
  growthTable,
  type Sized,
  sameness,
} from "./growth.ts";
import { ensureGrowing } from "./growth-data.ts";
import { type MeasureOptions, measurePeer } from "./measure.ts";
import { MOST_PAGEFIND_ROWS } from "./name-indexes.ts";
import { MOST_INDEXED_ROWS } from "./peer-files.ts";
import { GivenUp, planOf } from "./plan.ts";
import { isAskable, type PeerName } from "./question.ts";
import { disagreements, isCairnOneMind, type Result, reportOf, timesAsked } from "./report.ts";
import { type SlowHost, startSlowHost } from "./slow-host.ts";
import { openResults } from "./stored-results.ts";
import { STATES } from "./visits.ts";

const PAGE = ".cairn/bench/page";
/** Results as they are measured, for later runs. */
const RESULTS = ".cairn/bench/results";
const DUCKDB = "node_modules/duckdb-wasm-peer/dist";
const COMMAND = "npm run bench";
/** Each size has its own section. */
const searches = (rows: number) => ({
  name: `search-${rows}`,
  command: COMMAND,
  heading: `## Searches in ${rows.toLocaleString("en")} places`,
});
const GROWTH = { name: "growth", command: `${COMMAND} -- --growth` };
const PLOTS = { dataset: "growth-dataset.svg", answer: "growth-answer.svg" };
const PROOF_RUNS = 3;

/** On Ctrl-C, the results so far stay. */
let isStopped = false;
process.once("SIGINT", () => {
  isStopped = true;
});

const options = readBenchOptions();
await buildBenchPage(PAGE);
const certificate = await makeCertificate();
const browser = await launchBrowser([trustArgument(certificate)], { handleSIGINT: false });
const loadBefore = loadavg()[0] ?? 0;
try {
  if (options.growth.length > 0) await measureGrowth();
  else await measureSearches();
} finally {
  await browser.close();
}

async function measureSearches(): Promise<void> {
  const data = await ensurePeers(options.dataset ?? ensureSynthetic(options.places));
  const { peers, runs } = options;
  const plan = planOf(options, data.facts);
  const { results, keep } = openResults(`${RESULTS}/search-${data.rows}.jsonl`, machine(browser), options.isAdded);
  await withHost(data, async (host) => {
    const givenUp = new GivenUp();
    for (let run = 0; run < runs; run++) {
      for (const asked of plan) {
        for (const peer of peers.filter((name) => isAskable(name, asked.question.kind) && hasFiles(name, data))) {
          if (isStopped) return;
          const measured =
            givenUp.inPlaceOf({ ...asked, peer }) ?? (await measurePeer({ browser, host, peer, ...asked }));
          // The end of the browser says nothing about a peer.
          if (!browser.isConnected()) throw new Error("the browser was closed in the midst of a measurement");
          givenUp.note({ ...asked, peer }, measured);
          keep(measured);
          console.error(summaryOf(measured));
        }
      }
      console.error(`run ${run + 1} of ${runs}`);
    }
  });
  const proof = await geojsonProof(data.dataset, PROOF_RUNS);
  const meant = options.states.map((state) => `*${state}*: ${STATES[state]}`).join("; ");
  const differences = disagreements(results);
  const text = [
    ...conditions(browser, loadBefore),
    `${data.rows.toLocaleString("en")} places, medians of ${timesAsked(results)}, peers interleaved. HTTP/2; latency and bandwidth are the server's.`,
    `States: ${meant}. Each cell: time, requests / bytes of bodies / dependent round trips.`,
    "",
    reportOf(results),
    ...(differences.length > 0
      ? ["", "### Other answers than Cairn's", "", ...differences.map((line) => `- ${line}`)]
      : []),
    "",
    "### From Arrow to GeoJSON",
    "",
    proof,
  ].join("\n");
  console.log(text);
  if (!isCairnOneMind(results)) process.exitCode = 1;
  else if (options.isWritten) await writeResult(searches(data.rows), text);
}

async function measureGrowth(): Promise<void> {
  const network = options.networks[0];
  if (!network) throw new Error("no network is chosen");
  const datasets = await ensureGrowing(options.growth);
  const [smallest, largest] = [datasets[0], datasets.at(-1)];
  if (!smallest || !largest) throw new Error("no size is chosen");
  const { dense } = smallest.facts;
  const measure = async (host: SlowHost, size: number, question: MeasureOptions["question"]): Promise<Sized[]> => {
    const sized: Sized[] = [];
    for (const peer of GROWING_PEERS) {
      const results = await measurePeer({ browser, host, peer, network, question, states: ["cold"] });
      sized.push(...results.map((result) => ({ size, result })));
    }
    return sized;
  };
  const byDataset: Sized[] = [];
  const byAnswer: Sized[] = [];
  for (let run = 0; run < options.runs; run++) {
    for (const data of datasets) {
      byDataset.push(...(await withHost(data, (host) => measure(host, data.rows, fixedQuestion(dense)))));
    }
    await withHost(largest, async (host) => {
      for (const limit of ANSWER_LIMITS)
        byAnswer.push(...(await measure(host, limit, growingQuestion(largest.facts.dense, limit))));
    });
    console.error(`run ${run + 1} of ${options.runs}`);
  }
  const text = [
    ...conditions(browser, loadBefore),
    `Network: ${network.name}; page open, map at the place, no data loaded; medians of ${interleaved(options.runs)}. Cells: time, requests / bytes. Both axes are logarithmic.`,
    "",
    `A fixed answer, 1 km in the dense city, limit 25, as the dataset grows everywhere but within 100 km. ${sameness(byDataset)}`,
    "",
    `![Requests, kilobytes and milliseconds by rows of the dataset](${PLOTS.dataset})`,
    "",
    growthTable(byDataset, "rows of the dataset"),
    "",
    `A growing answer, circles of 50 km in ${largest.rows.toLocaleString("en")} places:`,
    "",
    `![Requests, kilobytes and milliseconds by rows of the answer](${PLOTS.answer})`,
    "",
    growthTable(byAnswer, "rows of the answer"),
  ].join("\n");
  console.log(text);
  if (!options.isWritten) return;
  await writeFile(
    `docs/${PLOTS.dataset}`,
    growthPlot(byDataset, { whole: "A fixed answer", x: "rows of the dataset" }),
  );
  await writeFile(`docs/${PLOTS.answer}`, growthPlot(byAnswer, { whole: "A growing answer", x: "rows of the answer" }));
  await writeResult(GROWTH, text);
}

/** There are no indexes of names for many rows. */
function hasFiles(peer: PeerName, { rows }: BenchData): boolean {
  if (peer === "pagefind") return rows <= MOST_PAGEFIND_ROWS;
  return peer !== "minisearch" || rows <= MOST_INDEXED_ROWS;
}

async function withHost<T>({ dataset, peers }: BenchData, work: (host: SlowHost) => Promise<T>): Promise<T> {
  const folders = { "/": PAGE, "/dataset/": dataset, "/peers/": peers, "/duckdb/": DUCKDB };
  const host = await startSlowHost(folders, certificate);
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

function interleaved(runs: number): string {
  return runs === 1 ? "1 run" : `${runs} interleaved runs`;
}

/** Progress line. */
function summaryOf(results: readonly Result[]): string {
  const [first] = results;
  const cells = results.map((result) => {
    return `${result.state} ${"ms" in result ? `${Math.round(result.ms)} ms` : result.failure}`;
  });
  return `${first?.peer}, ${first?.question.name}, ${first?.network.name}: ${cells.join(", ")}`;
}

function conditions(used: Browser, before: number): string[] {
  const load = `load average ${before.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`;
  const note = before > cpus().length / 2 ? ": times are longer than on an idle machine" : "";
  // The load of stored results is unknown.
  const loadNote = options.runs > 0 ? `; ${load}${note}` : "";
  return [`Written by \`${COMMAND}\`, ${new Date().toISOString().slice(0, 10)}. Machine: ${machine(used)}${loadNote}.`];
}

function machine(used: Browser): string {
  const hardware = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${hardware}, Node ${process.versions.node}, Chromium ${used.version()}`;
}
