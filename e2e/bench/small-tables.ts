/**
 * The first answer of a small table: requests, bytes and milliseconds after the page's script, compared with a program that
 * downloads one GeoJSON file, filters it and sorts it by distance.
 *
 * npm run bench:tables
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { metersBetween } from "../../data/format/sphere.ts";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";
import { openDataset } from "../../web/engine/index.ts";
import { httpSource } from "../../web/hosts/http/index.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import { parseSearch, pathNamed, runSearch, searchPathsOf } from "../../web/search/index.ts";
import { csvOf, type Shop, shopsOf } from "../support/bike-shops.ts";
import { countedFetch } from "../support/counted-fetch.ts";
import { startStaticServer } from "../support/static-server.ts";

const SIZES = [40, 1000, 5000] as const;
const RUNS = 15;
const CENTRE = { lat: 53.3438, lon: -6.2546 };

interface Measured {
  readonly requests: number;
  readonly bytes: number;
  readonly milliseconds: number;
  readonly first: string;
}

/** A program that can answer several times. */
interface Program {
  readonly answer: () => Promise<Measured>;
  readonly close: () => Promise<unknown>;
}

async function openCairn(dataset: string): Promise<Program> {
  const host = await startStaticServer({ folders: { "/": dataset } });
  const answer = async (): Promise<Measured> => {
    const { fetch, counted } = countedFetch();
    const start = performance.now();
    const opened = openDataset({ source: httpSource(host.url, { fetch }), decode: decodeParquet });
    const paths = searchPathsOf(await opened.manifest());
    const parameters = { lat: String(CENTRE.lat), lng: String(CENTRE.lon), radius: "20015086", limit: "25" };
    const result = await runSearch(opened, parseSearch(pathNamed(paths, "/shops"), parameters));
    const first = [...result.features()].map(({ properties }) => String(properties.Name)).join();
    return { ...counted, milliseconds: performance.now() - start, first };
  };
  return { answer, close: () => host.close() };
}

/** One GeoJSON file, sent compressed. */
async function openPeer(rows: readonly Shop[]): Promise<Program> {
  const features = rows.map(({ Latitude, Longitude, ...properties }) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [Number(Longitude), Number(Latitude)] },
    properties,
  }));
  const body = gzipSync(JSON.stringify({ type: "FeatureCollection", features }));
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "application/geo+json", "Content-Encoding": "gzip" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const answer = async (): Promise<Measured> => {
    const start = performance.now();
    const all = (await (await fetch(url)).json()) as { readonly features: typeof features };
    const metersOf = ({ geometry: { coordinates } }: (typeof features)[number]) => {
      const [lon = 0, lat = 0] = coordinates;
      return metersBetween(CENTRE, { lon, lat });
    };
    const near = all.features.map((feature) => ({ feature, meters: metersOf(feature) }));
    near.sort((a, b) => a.meters - b.meters);
    const first = near
      .slice(0, 25)
      .map(({ feature }) => feature.properties.Name)
      .join();
    return { requests: 1, bytes: body.byteLength, milliseconds: performance.now() - start, first };
  };
  return {
    answer,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

console.log(`| rows | program | requests | bytes | ms, best of ${RUNS} |\n|---:|---|---:|---:|---:|`);
for (const count of SIZES) {
  const folder = await mkdtemp(join(tmpdir(), "cairn-tables-"));
  const rows = await shopsOf(count);
  const file = join(folder, "shops.csv");
  await writeFile(file, csvOf(rows));
  await buildDataset({ sources: [file], out: join(folder, "dataset") });
  const programs = { Cairn: await openCairn(join(folder, "dataset")), "one GeoJSON file": await openPeer(rows) };
  const measured = new Map<string, Measured[]>(Object.keys(programs).map((name) => [name, []]));
  // In turn, because the load of the machine changes.
  for (let run = 0; run < RUNS; run++) {
    for (const [name, { answer }] of Object.entries(programs)) measured.get(name)?.push(await answer());
  }
  if (new Set([...measured.values()].flat().map(({ first }) => first)).size > 1)
    throw new Error(`${count} rows: the answers differ`);
  for (const [name, answers] of measured) {
    const [{ requests, bytes } = { requests: 0, bytes: 0 }] = answers;
    const milliseconds = Math.min(...answers.map((one) => one.milliseconds)).toFixed(1);
    console.log(`| ${count} | ${name} | ${requests} | ${bytes} | ${milliseconds} |`);
  }
  for (const { close } of Object.values(programs)) await close();
  await rm(folder, { recursive: true });
}
