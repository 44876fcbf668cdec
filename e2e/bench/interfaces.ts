/**
 * `npm run bench:interfaces`: the same question to every interface, over the sample: bytes read, size of the answer, and
 * time.
 * @module
 */
import { boxRing } from "../../data/format/bbox.ts";
import { createApi } from "../../web/api/index.ts";
import { openDataset } from "../../web/engine/index.ts";
import { type CountingSource, countingSource } from "../../web/engine/testing/sources.ts";
import { joinRanges } from "../../web/hosts/http/join-ranges.ts";
import { folderSource } from "../../web/hosts/node/folder-source.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import { answerMcp } from "../../web/mcp/index.ts";
import { DATASET_FOLDER } from "../support/folders.ts";
import { readOptions } from "../support/options.ts";
import { writeResult } from "./results.ts";

const SITE = "http://maps.example";
/** Warm answers. The median counts. */
const RUNS = 41;
const LIMIT = 100;
const BOX = [7.415, 43.735, 7.43, 43.745] as const;
const POINT = [7.4246, 43.7384] as const;

interface Question {
  readonly question: string;
  readonly interface: string;
  readonly request: () => Request;
}

const get = (path: string) => () => new Request(`${SITE}${path}`);
const tool = (name: string, asked: object) => () =>
  new Request(`${SITE}/mcp`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: asked } }),
  });
const area = JSON.stringify({ type: "Polygon", coordinates: [boxRing(BOX)] });
const inArea = (format: string) => () =>
  new Request(`${SITE}/places?limit=${LIMIT}&format=${format}`, {
    method: "POST",
    headers: { "Content-Type": "application/geo+json" },
    body: area,
  });

const OTHER_FORMATS = ["csv", "spreadsheet", "geojsonl", "gpx", "kml", "flatgeobuf", "geoparquet"] as const;
const IN_BOX = "places in a box, the first 100";
const TILE = "places of a tile at zoom 14, 1.8 km wide";
const TEXT = 'what "casino monaco" means';
const HERE = "what is at a point";
const [lon, lat] = POINT;
const INTERFACES: readonly Question[] = [
  { question: IN_BOX, interface: "`/places`", request: inArea("json") },
  { question: IN_BOX, interface: "`/places`, GeoJSON", request: inArea("geojson") },
  ...OTHER_FORMATS.map(
    (format): Question => ({
      question: IN_BOX,
      interface: `\`/places\`, \`format=${format}\``,
      request: inArea(format),
    }),
  ),
  { question: IN_BOX, interface: "`/ogc`", request: get(`/ogc/collections/place/items?limit=${LIMIT}&bbox=${BOX}`) },
  {
    question: IN_BOX,
    interface: "`/ogc`, CQL2",
    request: get(`/ogc/collections/place/items?limit=${LIMIT}&filter=S_INTERSECTS(geometry,BBOX(${BOX}))`),
  },
  { question: IN_BOX, interface: "`/mcp`, in_area", request: tool("in_area", { bbox: BOX, limit: LIMIT }) },
  { question: TILE, interface: "`/tiles/places`", request: get("/tiles/places/14/8529/5974.mvt") },
  { question: TEXT, interface: "`/autocomplete`", request: get("/autocomplete?text=casino%20monaco&limit=5") },
  { question: TEXT, interface: "`/photon/api`", request: get("/photon/api?q=casino%20monaco&limit=5") },
  { question: TEXT, interface: "`/mcp`, find", request: tool("find", { text: "casino monaco", limit: 5 }) },
  { question: HERE, interface: "`/reverse`", request: get(`/reverse?lat=${lat}&lng=${lon}`) },
  { question: HERE, interface: "`/photon/reverse`", request: get(`/photon/reverse?lat=${lat}&lon=${lon}&limit=5`) },
  { question: HERE, interface: "`/mcp`, reverse", request: tool("reverse", { lat, lng: lon }) },
];

interface Opened {
  readonly source: CountingSource;
  answer(request: Request): Promise<Response>;
}

/** A new host that has the manifest. */
async function open(): Promise<Opened> {
  const source = countingSource(folderSource(DATASET_FOLDER));
  const dataset = openDataset({ source: joinRanges(source), decode: decodeParquet });
  await dataset.manifest();
  source.reset();
  const api = createApi({ dataset });
  return {
    source,
    answer: (request) => (new URL(request.url).pathname === "/mcp" ? answerMcp(request, { dataset }) : api(request)),
  };
}

async function measure({ interface: name, request }: Question): Promise<string> {
  const { source, answer } = await open();
  const ask = async () => {
    const response = await answer(request());
    const { byteLength } = await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${name}: status ${response.status}`);
    return byteLength;
  };
  const bytes = await ask();
  const read = source.requests.reduce((sum, one) => sum + one.bytes, 0);
  const requests = source.requests.length;
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  const middle = times.sort((a, b) => a - b)[RUNS >> 1] ?? 0;
  return `${name} | ${(read / 1000).toFixed(0)} | ${requests} | ${(bytes / 1000).toFixed(1)} | ${middle.toFixed(1)}`;
}

readOptions({ usage: "npm run bench:interfaces", options: {} });
const rows: string[] = [];
for (const asked of INTERFACES) rows.push(`| ${asked.question} | ${await measure(asked)} |`);
const report = [
  "| question | interface | read cold, KB | requests | answer, KB | warm, ms |\n|---|---|---|---|---|---|",
  ...rows,
].join("\n");
console.log(report);
await writeResult(
  {
    name: "interfaces",
    command: "npm run bench:interfaces",
  },
  report,
);
