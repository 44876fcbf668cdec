/**
 * `npm run bench`: searches of Cairn beside what people would use instead, in Chromium, over a line with latency and limits.
 * Runs are interleaved: each peer is asked once before any is asked again. Exits with 1 when peers give different answers.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { chromium } from "@playwright/test";
import { findChromium } from "../../../.ci/chromium.mjs";
import { parseBenchArguments, STATES } from "./arguments.ts";
import { buildBenchPage } from "./build-page.ts";
import { ensureData } from "./data.ts";
import { type Measured, measurePeer } from "./measure.ts";
import { disagreements, tableOf } from "./report.ts";
import { startSlowHost } from "./slow-host.ts";

const PAGE = ".cairn/bench/page";
const DOCUMENT = "docs/benchmarks.md";
const [BEGIN, END] = ["<!-- search: written by npm run bench -->", "<!-- search: end -->"];

const options = parseBenchArguments(process.argv.slice(2));
const { dataset, peers: peerFiles } = await ensureData(options.places);
await buildBenchPage(PAGE);
const host = await startSlowHost({ "/": PAGE, "/dataset/": dataset, "/peers/": peerFiles });
const executablePath = await findChromium();
if (!executablePath) throw new Error("no Chromium: run `node .ci/setup.mjs --browser`");
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
const loadBefore = loadavg()[0] ?? 0;
const measured: Measured[] = [];
const failures: string[] = [];
for (let run = 0; run < options.runs; run++) {
  for (const network of options.networks) {
    for (const question of options.questions) {
      for (const peer of options.peers) {
        try {
          measured.push(...(await measurePeer({ browser, host, peer, network, question, states: options.states })));
        } catch (error) {
          failures.push(
            `${peer}, ${question.name}, ${network.name}: ${error instanceof Error ? error.message : error}`,
          );
        }
      }
    }
  }
  console.error(`run ${run + 1} of ${options.runs}`);
}
const version = browser.version();
await browser.close();
await host.close();

const differences = disagreements(measured);
const text = [
  `Machine: ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, Chromium ${version}; ${new Date().toISOString().slice(0, 10)};`,
  `load average ${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after. ${options.places.toLocaleString("en")} synthetic places, medians of ${options.runs} interleaved runs.`,
  `Latency and bandwidth are the server's. Each cell: time, requests / bytes sent. ${options.states.map((state) => `*${state}*: ${STATES[state]}`).join("; ")}.`,
  "",
  tableOf(measured),
  ...(failures.length > 0 ? ["", "No answer:", "", ...failures.map((failure) => `- ${failure.split("\n")[0]}`)] : []),
].join("\n");
console.log(text);
for (const difference of differences) console.error(`answers differ: ${difference}`);
if (differences.length > 0) process.exitCode = 1;
else if (options.isWritten) await writeSection(text);

/** Puts the text between its marks; what stands around them is others'. */
async function writeSection(section: string): Promise<void> {
  const page = await readFile(DOCUMENT, "utf8").catch(() => "# Benchmarks\n");
  const marked = `${BEGIN}\n${section}\n${END}`;
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  const next =
    start >= 0 && end > start
      ? page.slice(0, start) + marked + page.slice(end + END.length)
      : `${page.trimEnd()}\n\n## Searches\n\n${marked}\n`;
  await writeFile(DOCUMENT, next);
}
