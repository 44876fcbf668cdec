import { expect, test } from "vitest";
import type { Geometry } from "../../data/format/geometry.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { FetchError } from "./contract/errors.ts";
import type { ByteSource } from "./contract/ports.ts";
import type { Feature, Query } from "./contract/query.ts";
import { openDataset } from "./dataset.ts";
import { checkSearch } from "./testing/check-search.ts";
import { createOracle } from "./testing/oracle.ts";
import { randomFrom } from "./testing/random.ts";
import { openSampleRows } from "./testing/sample.ts";
import { countingSource } from "./testing/sources.ts";

const { source, rows } = await openSampleRows();
const areas = rows.filter(({ collection }) => collection === "division_area");
const oracle = createOracle(areas);
/** Positions in and around the long outlines: of Boulder, Norway, France, the antimeridian, the sea. */
const PLACES: readonly (readonly [lon: number, lat: number])[] = [
  [-105.2797, 40.0176],
  [10, 61],
  [2, 48],
  [180, 66],
  [-180, 66],
  [0, 0],
];

const without = (kind: RegExp): ByteSource => ({
  ...source,
  async read(path, options) {
    if (kind.test(path)) throw new FetchError(`${path} is missing`, { path, status: 404 });
    return source.read(path, options);
  },
});
const open = (from: ByteSource) => openDataset({ source: from, decode: decodeParquet });

function queryAt([lon, lat]: readonly [number, number], radiusMeters: number): Query {
  return { collections: ["division_area"], circle: { lon, lat, radiusMeters }, offset: 0, limit: 100 };
}

async function found(from: ByteSource, query: Query): Promise<readonly Feature[]> {
  return [...(await open(from).search(query)).features()];
}

function byId(features: readonly Feature[]) {
  return features.map(({ id, properties }) => [id, properties.ext_distance]);
}

test.each([0, 1000, 300_000])("rows within %d m have the distances of the whole outlines", async (radius) => {
  const random = randomFrom(radius);
  const dataset = open(source);
  const some = Array.from({ length: 20 }, () => [random.between(-125, -65), random.between(25, 50)] as const);
  for (const at of [...PLACES, ...some]) await checkSearch(dataset, oracle, queryAt(at, radius));
});

test("a feature has the whole outline, from the records and from the primary copy", async () => {
  const outlines = new Map<string, Geometry>(areas.map(({ id, geometry }) => [id, geometry]));
  for (const from of [without(/\.parquet$/), without(/_records\//)]) {
    let vertices = 0;
    for (const at of PLACES.slice(0, 3)) {
      for (const { id, geometry } of await found(from, queryAt(at, 0))) {
        expect(geometry).toEqual(outlines.get(id));
        vertices += JSON.stringify(geometry).length;
      }
    }
    expect(vertices).toBeGreaterThan(1_000_000);
  }
});

test("without geometries, a point in a country takes a tenth of its outline's bytes", async () => {
  const counted = countingSource(source);
  const dataset = open(counted);
  await dataset.manifest();
  const bytesOf = async (query: Query) => {
    counted.reset();
    const features = [...(await dataset.search(query)).features()];
    return { features, bytes: counted.requests.reduce((sum, request) => sum + request.bytes, 0) };
  };
  const query = queryAt([-105.2797, 40.0176], 0);
  const small = await bytesOf({ ...query, hasGeometry: false });
  const large = await bytesOf(query);
  expect(byId(small.features)).toEqual(byId(large.features));
  expect(small.features.map(({ geometry }) => geometry)).toContainEqual({ type: "GeometryCollection", geometries: [] });
  expect(small.bytes).toBeLessThan(90_000);
  expect(large.bytes).toBeGreaterThan(400_000);
});
