/**
 * The first answer of a small table in Chromium, after the script: requests, bytes and milliseconds, compared with a page
 * that downloads one GeoJSON or Parquet file, measures its rows and sorts them. Also later answers, from memory.
 *
 * npm run bench:tables -- [--networks fast,slow] [--runs 9] [--sizes 40,1000,5000] [--write]
 * @module
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { parquetWriteBuffer } from "hyparquet-writer";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";
import { ensurePage } from "../../pipeline/cli/freshness.ts";
import { csvOf, type Shop, shopsOf } from "../support/bike-shops.ts";
import { PAGE_FOLDER } from "../support/folders.ts";
import { launchBrowser } from "../support/launch-browser.ts";
import { readOptions } from "../support/options.ts";
import { makeCertificate, trustArgument } from "./peers/certificate.ts";
import { NETWORKS, type NetworkName, type SlowHost, startSlowHost } from "./peers/slow-host.ts";
import { median } from "./peers/statistics.ts";
import { writeResult } from "./results.ts";

const { values, refuse } = readOptions({
  usage: `npm run bench:tables -- [--networks ${Object.keys(NETWORKS).join(",")}] [--runs 9] [--sizes 40,1000,5000] [--write]`,
  options: {
    networks: { type: "string", default: "fast,slow" },
    runs: { type: "string", default: "9" },
    sizes: { type: "string", default: "40,1000,5000" },
    write: { type: "boolean", default: false },
  },
});
const [runs, sizes] = [
  wholeNumber("--runs", values.runs),
  values.sizes.split(",").map((one) => wholeNumber("--sizes", one)),
];

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw refuse(`${name} has ${text}, expected a whole number from 1`);
}

const isNetwork = (name: string): name is NetworkName => Object.hasOwn(NETWORKS, name);

/** Returns the names of the nearest 25 of rows with `Longitude` and `Latitude`. */
const NEAREST = `
const RADIANS = Math.PI / 180;
const nearest = (rows, lat, lng) => {
  const half = (degrees) => Math.sin((degrees * RADIANS) / 2) ** 2;
  const near = rows.map((row) => ({
    row,
    meters: 2 * 6371008.8 * Math.asin(Math.sqrt(half(row.Latitude - lat) +
      Math.cos(row.Latitude * RADIANS) * Math.cos(lat * RADIANS) * half(row.Longitude - lng))),
  }));
  near.sort((a, b) => a.meters - b.meters);
  return near.slice(0, 25).map(({ row }) => row.Name).join();
};`;

/** Each asks for the nearest 25 of all rows: `answer` returns their names. The second and later answers ask elsewhere. */
const SCRIPTS = {
  Cairn: `
import { open } from "/embed/cairn.js";
let cairn;
globalThis.answer = async (lat, lng) => {
  cairn ??= await open(new URL("/dataset/", location.href).href);
  const found = await cairn.search("shops", { lat, lng, radius: 20015086, limit: 25 });
  return found.features.map(({ properties }) => properties.Name).join();
};`,
  "one GeoJSON file": `${NEAREST}
let all;
globalThis.answer = async (lat, lng) => {
  all ??= (await (await fetch("/shops.json")).json()).features.map(({ geometry, properties }) => {
    const [Longitude, Latitude] = geometry.coordinates;
    return { ...properties, Longitude, Latitude };
  });
  return nearest(all, lat, lng);
};`,
  "one Parquet file": `${NEAREST}
import { parquetReadObjects } from "/hyparquet/index.js";
let all;
globalThis.answer = async (lat, lng) => {
  all ??= await parquetReadObjects({ file: await (await fetch("/shops.parquet")).arrayBuffer() });
  return nearest(all, lat, lng);
};`,
} as const;
type Program = keyof typeof SCRIPTS;
const PROGRAMS = Object.keys(SCRIPTS) as Program[];

/** The first is that of the first answer. */
const CENTRES = [
  [53.3438, -6.2546],
  [52.6638, -8.6267],
  [51.8985, -8.4756],
  [53.2707, -9.0568],
  [54.2766, -8.4761],
] as const;

interface Visit {
  readonly requests: number;
  readonly bytes: number;
  readonly firstMs: number;
  readonly laterMs: number;
  readonly names: string;
}

declare global {
  var answer: ((lat: number, lng: number) => Promise<string>) | undefined;
}

async function visit(browser: Browser, host: SlowHost, program: Program): Promise<Visit> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${host.url}${PROGRAMS.indexOf(program)}.html`);
    await page.waitForFunction(() => globalThis.answer);
    await page.waitForTimeout(100);
    host.forget();
    const [first, ...others] = CENTRES;
    const answer = async ([lat, lng]: (typeof CENTRES)[number]) =>
      page.evaluate(
        async ([lat, lng]) => {
          const start = performance.now();
          const names = await globalThis.answer?.(lat, lng);
          return { names, ms: performance.now() - start };
        },
        [lat, lng] as const,
      );
    const made = [await answer(first)];
    const { requests, bytes } = host.sent();
    await page.waitForTimeout(500);
    for (const centre of others) made.push(await answer(centre));
    const [firstMs = Number.NaN, ...later] = made.map(({ ms }) => ms);
    const names = made.map((one) => one.names).join("\n");
    return { requests, bytes, firstMs, laterMs: median(later), names };
  } finally {
    await context.close();
  }
}

function geojsonOf(rows: readonly Shop[]): string {
  const features = rows.map(({ Latitude, Longitude, ...properties }) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [Number(Longitude), Number(Latitude)] },
    properties,
  }));
  return JSON.stringify({ type: "FeatureCollection", features });
}

/** One row group in Snappy, which hyparquet reads without another library. */
function parquetOf(rows: readonly Shop[]): Uint8Array {
  const columnData = Object.keys(rows[0] ?? {}).map((name) =>
    name === "Longitude" || name === "Latitude"
      ? { name, data: rows.map((row) => Number(row[name])), type: "DOUBLE" as const }
      : { name, data: rows.map((row) => row[name] ?? ""), type: "STRING" as const },
  );
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

await ensurePage(PAGE_FOLDER, "small");
const certificate = await makeCertificate();
const browser = await launchBrowser([trustArgument(certificate)]);
const lines: string[] = [];
const print = (line: string): void => {
  lines.push(line);
  console.log(line);
};
print(
  `| network | rows | program | requests | bytes | first answer, ms: median, best of ${runs} | later answers, ms |`,
);
print("|---|---:|---|---:|---:|---:|---:|");
try {
  for (const count of sizes) {
    const folder = await mkdtemp(join(tmpdir(), "cairn-tables-"));
    const rows = await shopsOf(count);
    const [site, file] = [join(folder, "site"), join(folder, "shops.csv")];
    await mkdir(site);
    await writeFile(file, csvOf(rows));
    await buildDataset({ sources: [file], out: join(site, "dataset") });
    await cp(join(PAGE_FOLDER, "embed"), join(site, "embed"), { recursive: true });
    await writeFile(join(site, "shops.json"), geojsonOf(rows));
    await writeFile(join(site, "shops.parquet"), parquetOf(rows));
    await cp("node_modules/hyparquet/src", join(site, "hyparquet"), { recursive: true });
    for (const [index, program] of PROGRAMS.entries()) {
      const script = `<script type="module">${SCRIPTS[program]}</script>`;
      await writeFile(join(site, `${index}.html`), `<!doctype html><link rel="icon" href="data:," />${script}`);
    }
    const host = await startSlowHost({ "/": site }, certificate);
    try {
      for (const name of values.networks.split(",")) {
        if (!isNetwork(name)) throw refuse(`--networks has ${name}, allowed are ${Object.keys(NETWORKS).join(", ")}`);
        host.use(NETWORKS[name]);
        const visits = new Map<Program, Visit[]>(PROGRAMS.map((program) => [program, []]));
        // In turn, because the load of the machine changes.
        for (let run = 0; run < runs; run++)
          for (const program of PROGRAMS) visits.get(program)?.push(await visit(browser, host, program));
        if (new Set([...visits.values()].flat().map(({ names }) => names)).size > 1)
          throw new Error(`${count} rows: the answers differ`);
        for (const [program, made] of visits) {
          const of = (figure: (one: Visit) => number) => median(made.map(figure));
          const best = Math.min(...made.map(({ firstMs }) => firstMs));
          print(
            `| ${NETWORKS[name].name} | ${count} | ${program} | ${of((one) => one.requests)} | ${of((one) => one.bytes)} | ` +
              `${of((one) => one.firstMs).toFixed(1)}, ${best.toFixed(1)} | ${of((one) => one.laterMs).toFixed(1)} |`,
          );
        }
      }
    } finally {
      await host.close();
      await rm(folder, { recursive: true });
    }
  }
  if (values.write) await writeResult({ name: "tables", command: "npm run bench:tables" }, lines.join("\n"));
} finally {
  await browser.close();
}
