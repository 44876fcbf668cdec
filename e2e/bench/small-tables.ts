/**
 * The first answer of a small table: requests, bytes and milliseconds after the page's script, compared with a program that
 * downloads one GeoJSON file, filters it and sorts it by distance.
 *
 * npm run bench:tables
 * @module
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import Papa from "papaparse";
import { metersBetween } from "../../data/format/sphere.ts";
import { buildDataset } from "../../pipeline/build/build.ts";
import { openDataset } from "../../web/engine/index.ts";
import { httpSource } from "../../web/hosts/http/index.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import { parseSearch, pathNamed, runSearch, searchPathsOf } from "../../web/search/index.ts";
import { startStaticServer } from "../support/static-server.ts";

const TABLE = "docs/examples/bike-shops.csv";
const SIZES = [40, 1000, 5000] as const;
const RUNS = 9;
const CENTRE = { lat: 53.3438, lon: -6.2546 };

type Row = Readonly<Record<string, string>>;

/** The example's shops, again and again, at other places. */
async function rowsOf(count: number): Promise<readonly Row[]> {
  const { data } = Papa.parse<Row>((await readFile(TABLE, "utf8")).trim(), { header: true });
  let state = 1;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from({ length: count }, (_, index) => {
    const row = data[index % data.length] ?? {};
    if (index < data.length) return row;
    const at = { Latitude: (51.6 + random() * 3).toFixed(5), Longitude: (-10 + random() * 4).toFixed(5) };
    return { ...row, ...at, Name: `${row.Name} ${index}`, Phone: `+353 1 555 ${1000 + index}` };
  });
}

interface Measured {
  readonly requests: number;
  readonly bytes: number;
  readonly milliseconds: number;
  readonly first: string;
}

async function measureCairn(dataset: string): Promise<Measured> {
  const host = await startStaticServer({ folders: { "/": dataset } });
  let [requests, bytes] = [0, 0];
  const { fetch: before } = globalThis;
  globalThis.fetch = async (...given) => {
    const response = await before(...given);
    const body = await response.arrayBuffer();
    requests += 1;
    bytes += body.byteLength;
    return new Response(body, response);
  };
  try {
    const times: number[] = [];
    let first = "";
    for (let run = 0; run < RUNS; run++) {
      [requests, bytes] = [0, 0];
      const start = performance.now();
      const opened = openDataset({ source: httpSource(host.url), decode: decodeParquet });
      const paths = searchPathsOf(await opened.manifest());
      const parameters = { lat: String(CENTRE.lat), lng: String(CENTRE.lon), radius: "20015086", limit: "25" };
      const result = await runSearch(opened, parseSearch(pathNamed(paths, "/shops"), parameters));
      first = [...result.features()].map(({ properties }) => String(properties.Name)).join();
      times.push(performance.now() - start);
    }
    return { requests, bytes, milliseconds: middle(times), first };
  } finally {
    globalThis.fetch = before;
    await host.close();
  }
}

/** One GeoJSON file, sent compressed. */
async function measurePeer(rows: readonly Row[]): Promise<Measured> {
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
  const times: number[] = [];
  let first = "";
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    const all = (await (await fetch(url)).json()) as { readonly features: typeof features };
    const metersOf = ({ geometry: { coordinates } }: (typeof features)[number]) => {
      const [lon = 0, lat = 0] = coordinates;
      return metersBetween(CENTRE, { lon, lat });
    };
    const near = all.features.map((feature) => ({ feature, meters: metersOf(feature) }));
    near.sort((a, b) => a.meters - b.meters);
    first = near
      .slice(0, 25)
      .map(({ feature }) => feature.properties.Name)
      .join();
    times.push(performance.now() - start);
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { requests: 1, bytes: body.byteLength, milliseconds: middle(times), first };
}

function middle(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

console.log("| rows | program | requests | bytes | ms |\n|---:|---|---:|---:|---:|");
for (const count of SIZES) {
  const folder = await mkdtemp(join(tmpdir(), "cairn-tables-"));
  const rows = await rowsOf(count);
  const file = join(folder, "shops.csv");
  await writeFile(file, Papa.unparse([...rows]));
  await buildDataset({ sources: [file], out: join(folder, "dataset") });
  const cairn = await measureCairn(join(folder, "dataset"));
  const peer = await measurePeer(rows);
  if (cairn.first !== peer.first) throw new Error(`${count} rows: the answers differ`);
  for (const [name, { requests, bytes, milliseconds }] of Object.entries({ Cairn: cairn, "one GeoJSON file": peer }))
    console.log(`| ${count} | ${name} | ${requests} | ${bytes} | ${milliseconds.toFixed(1)} |`);
  await rm(folder, { recursive: true });
}
