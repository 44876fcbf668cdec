/**
 * Measures memory of `cairn serve` under HTTP load. Needs Linux. `npm run soak:serve -- --minutes 10 --connections 50
 * --pause 0 --misbehaving 0 --caddy`: compared with Caddy, which serves the same answers as files; `npm run soak:serve --
 * --minutes 60 --cache 64`: with clients that leave, read slowly or not at all, and a small cache; fails if the memory
 * of the last quarter differs from the second's.
 * @module
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Random, randomFrom } from "../../../web/engine/testing/random.ts";
import { writeResult } from "../results.ts";
import { type Asked, ask, randomManner } from "./http-clients.ts";
import { type HttpHost, startCaddy, startCairn } from "./http-hosts.ts";
import { type HostSample, judgeQuarters, tableOf } from "./serve-report.ts";

const SEED = 20261123;
/** Interval of memory checks. A sample is their mean. */
const LOOK_MS = 1000;
const SAMPLES = 20;
const SAMPLES_WITH_CADDY = 10;
/** Number of different answers. */
const ADDRESSES = 1000;
const PATHS = ["places", "buildings", "addresses", "base", "transportation", "divisions"];
const COUNTRIES = ["US", "MC", "FR", "JP", "DE", "GB", "BR", "IN"];
const WORDS = ["ca", "rue", "st", "saint", "boulder", "monaco", "ma", "condamine"];
const FORMATS = ["json", "json", "geojson", "csv"];
const ENCODINGS = ["identity", "gzip", "br"];
const LIMITS = [25, 25, 1000, 25_000];
const PLACES = [
  { lat: 40.015, lng: -105.27 },
  { lat: 43.735, lng: 7.42 },
  { lat: 48.86, lng: 2.35 },
  { lat: 35.68, lng: 139.7 },
];

const USAGE = `npm run soak:serve -- [--minutes 60] [--connections 16] [--pause 500] [--misbehaving 20] [--cache <MiB>]
  [--dataset .cairn/dataset] [--caddy] [--write]

--pause    mean time between two requests of a connection, milliseconds
--misbehaving  percent of callers that close early, read slowly, or do not read
--caddy    measure Caddy with the same requests afterwards
--write    store the results for docs/benchmarks.md`;

interface Options {
  readonly minutes: number;
  readonly connections: number;
  readonly pauseMs: number;
  readonly misbehavingPercent: number;
  readonly cache: readonly string[];
  readonly dataset: string;
  readonly withCaddy: boolean;
  readonly isWritten: boolean;
}

function parseOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: "string", default: "60" },
        connections: { type: "string", default: "16" },
        pause: { type: "string", default: "500" },
        misbehaving: { type: "string", default: "20" },
        cache: { type: "string" },
        dataset: { type: "string", default: ".cairn/dataset" },
        caddy: { type: "boolean", default: false },
        write: { type: "boolean", default: false },
      },
    });
    return {
      minutes: numberOf("minutes", values.minutes, 0.1),
      connections: numberOf("connections", values.connections, 1),
      pauseMs: numberOf("pause", values.pause, 0),
      misbehavingPercent: numberOf("misbehaving", values.misbehaving, 0),
      cache: values.cache === undefined ? [] : ["--cache", values.cache],
      dataset: values.dataset,
      withCaddy: values.caddy,
      isWritten: values.write,
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

function numberOf(option: string, text: string, least: number): number {
  const value = Number(text);
  if (text !== "" && value >= least) return value;
  throw new Error(`--${option} has ${text}, expected a number from ${least}`);
}

function randomAddress(random: Random): string {
  const path = random.of(PATHS);
  const { lat, lng } = random.of(PLACES);
  const point = `lat=${(lat + random.spread(0.05)).toFixed(5)}&lng=${(lng + random.spread(0.05)).toFixed(5)}`;
  const circle = `${point}&radius=${Math.round(random.magnitude(10, 20_000))}`;
  const where = random.below(5) === 0 ? `country=${random.of(COUNTRIES)}` : circle;
  const name = random.below(5) === 0 ? `&name=${random.of(WORDS)}` : "";
  return `${path}?${where}${name}&limit=${random.of(LIMITS)}&format=${random.of(FORMATS)}`;
}

/** Sends requests for these paths repeatedly, and measures the host. */
async function load(name: string, host: HttpHost, paths: readonly string[], options: Options): Promise<HostSample[]> {
  const { minutes, connections, pauseMs, misbehavingPercent, withCaddy } = options;
  const agent = new Agent({ keepAlive: true });
  const startMs = performance.now();
  let asked: Asked[] = [];
  let isOver = false;
  const callers = Array.from({ length: connections }, async (_, index) => {
    const random = randomFrom(SEED + index);
    while (!isOver) {
      const manner = randomManner(random, misbehavingPercent);
      const encoding = withCaddy ? "identity" : random.of(ENCODINGS);
      asked.push(await ask(host.url + random.of(paths), { agent, manner, encoding, random }));
      await wait(pauseMs * random.between(0.5, 1.5));
    }
  });
  const most = withCaddy ? SAMPLES_WITH_CADDY : SAMPLES;
  const samples: HostSample[] = [];
  let cpuBefore = host.cpuSeconds();
  for (let sample = 1; sample <= most; sample++) {
    const endMs = startMs + (minutes * 60_000 * sample) / most;
    const resident: number[] = [];
    while (performance.now() < endMs) {
      await wait(Math.min(LOOK_MS, endMs - performance.now()));
      resident.push(host.residentMiB());
    }
    const cpuSeconds = host.cpuSeconds();
    samples.push({
      host: name,
      minute: (performance.now() - startMs) / 60_000,
      seconds: (minutes * 60) / most,
      asked,
      cpuSeconds: cpuSeconds - cpuBefore,
      residentMiB: resident.reduce((sum, each) => sum + each, 0) / resident.length,
      parts: await host.memory(),
    });
    console.log(tableOf(samples.slice(-1)).split("\n").at(-1));
    cpuBefore = cpuSeconds;
    asked = [];
  }
  isOver = true;
  await Promise.all(callers);
  agent.destroy();
  return samples;
}

const options = parseOptions();
const random = randomFrom(SEED);
const addresses = [...new Set(Array.from({ length: ADDRESSES }, () => randomAddress(random)))];
const cairn = await startCairn(options.dataset, options.cache);
const folder = await mkdtemp(join(tmpdir(), "cairn-soak-"));
try {
  const files = options.withCaddy ? await saveAnswers(cairn.url) : [];
  const samples = await load("cairn serve", cairn, addresses, options);
  await cairn.close();
  if (options.withCaddy) {
    const caddy = await startCaddy(folder);
    samples.push(...(await load("Caddy", caddy, files, options)));
    await caddy.close();
  }
  // A few minutes are not enough for a result about memory.
  const verdict = options.withCaddy ? undefined : judgeQuarters(samples);
  if (verdict) console.log(verdict.text);
  if (options.isWritten) await write(samples, verdict ? [verdict.text] : []);
  if (verdict?.isFlat === false) process.exitCode = 1;
} finally {
  await cairn.close();
  await rm(folder, { recursive: true });
}

/** Writes the host's answers as files. Returns their paths in the order of the addresses. */
async function saveAnswers(url: string): Promise<string[]> {
  await mkdir(join(folder, "answers"));
  const paths: string[] = [];
  for (const [index, address] of addresses.entries()) {
    const answer = await fetch(url + address);
    if (answer.status !== 200) throw new Error(`${address} is answered ${answer.status}: ${await answer.text()}`);
    paths.push(`answers/${index}`);
    await writeFile(join(folder, "answers", String(index)), new Uint8Array(await answer.arrayBuffer()));
  }
  return paths;
}

function write(samples: readonly HostSample[], verdict: readonly string[]): Promise<void> {
  const { minutes, connections, pauseMs, misbehavingPercent, cache, withCaddy } = options;
  const how = [
    `${connections} connections, ${pauseMs > 0 ? `each pausing some ${pauseMs} ms` : "none pausing"} between two requests`,
    ...(misbehavingPercent > 0 ? [`${misbehavingPercent} of a hundred callers leave, read slowly or not at all`] : []),
    `${minutes} minutes`,
    ...(cache.length > 0 ? [`\`${cache.join(" ")}\``] : []),
    `${availableParallelism()} cores, load average ${loadavg()[2]?.toFixed(0)} in the last quarter of an hour`,
  ].join("; ");
  const name = withCaddy ? "serve-with-caddy" : "serve-soak";
  const section = { name, command: "npm run soak:serve" };
  return writeResult(section, `${[`${how}.`, ...verdict].join(" ")}\n\n${tableOf(samples)}`);
}
