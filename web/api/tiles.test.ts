import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { beforeAll, expect, test } from "vitest";
import { openDataset } from "../engine/index.ts";
import { buildSample } from "../engine/testing/sample.ts";
import { folderSource } from "../hosts/node/folder-source.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { createApi, isApiPath } from "./index.ts";

let api: ReturnType<typeof createApi>;
beforeAll(async () => {
  api = createApi({ dataset: openDataset({ source: folderSource(await buildSample()), decode: decodeParquet }) });
});

const ask = (path: string, init?: RequestInit) => api(new Request(`http://maps.example${path}`, init));
const MONACO = "14/8529/5974.mvt";

test("a tile has its type, its tag and the number of features left out", async () => {
  const answer = await ask(`/tiles/place/${MONACO}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("application/vnd.mapbox-vector-tile");
  expect(answer.headers.get("Cairn-Tile-Left-Out")).toBe("0");
  expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("Cairn-Tile-Left-Out");
  const tag = answer.headers.get("ETag") ?? "";
  const again = await ask(`/tiles/place/${MONACO}`, { headers: { "If-None-Match": tag } });
  expect([again.status, again.headers.get("ETag")]).toEqual([304, tag]);
  const layers = new VectorTile(new PbfReader(await answer.arrayBuffer())).layers;
  expect(Object.keys(layers)).toEqual(["place"]);
  expect(layers.place?.length).toBeGreaterThan(100);
});

test("a search path's tile has a layer for each of its collections", async () => {
  const places = await (await ask(`/tiles/places/${MONACO}`)).arrayBuffer();
  expect(places).toEqual(await (await ask(`/tiles/place/${MONACO}`)).arrayBuffer());
  const base = new VectorTile(new PbfReader(await (await ask(`/tiles/base/${MONACO}`)).arrayBuffer()));
  expect(Object.keys(base.layers).sort()).toEqual(["infrastructure", "land", "land_use", "water"]);
});

test("an empty tile has no content", async () => {
  const answer = await ask("/tiles/places/14/0/0.mvt");
  expect([answer.status, await answer.text()]).toEqual([204, ""]);
});

test.each([
  ["/tiles/places/21/0/0.mvt", 400, ['z must be a whole number from 0 to 20, got "21"']],
  [
    "/tiles/places/1/2/x.mvt",
    400,
    ['x must be a whole number from 0 to 1, got "2"', 'y must be a whole number from 0 to 1, got "x"'],
  ],
  ["/tiles/places/1/1/1.png", 400, ['a tile URL must end in .mvt, got "1.png"']],
  ["/tiles/places/1/1/1.mvt?lang=de", 400, ['"lang" is not a parameter of /tiles; there is api_key']],
  [
    "/tiles/shops/1/1/1.mvt",
    404,
    [expect.stringContaining('"shops" has no tiles; there are those of places, buildings')],
  ],
])("%s is refused", async (path, status, message) => {
  const answer = await ask(path);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ statusCode: status, message });
});

test("tiles accept only GET, and belong to the interface", async () => {
  const answer = await ask(`/tiles/places/${MONACO}`, { method: "PUT" });
  expect(answer.status).toBe(405);
  expect([isApiPath("/tiles/places/1/1/1.mvt"), isApiPath("/tilesets")]).toEqual([true, false]);
});
