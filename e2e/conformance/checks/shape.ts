/**
 * Records: keys, properties and values equal the sources.
 * @module
 */
import { type Check, check } from "../check.ts";
import { type Item, itemsOf } from "../client.ts";
import { expect, NotApplicable } from "../expect.ts";
import { groupBy } from "../group.ts";
import { at, difference, isObject, type Json, type JsonObject } from "../json.ts";
import type { Oracle } from "../oracle.ts";
import { SEARCH_PATHS, type SearchPath, titleOf } from "../paths.ts";
import { randomFrom } from "../random.ts";
import type { SourceRow } from "../source-rows.ts";
import { DECLARED, type OvertureType, themeOf } from "../types.ts";

/** Rows to check in each source folder. */
const SAMPLES = 8;

/** Properties that the interface adds to Overture's, and `bbox`, which is optional. */
const ADDED = [
  "id",
  "theme",
  "type",
  "bbox",
  "ext_name",
  "ext_country",
  "ext_distance",
  "ext_building",
  "ext_place_geometry",
];

/** Makes the checks of records. */
export function shapeChecks(oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap((path) => [
    ...(path.choices ?? path.types).map((type) => valuesCheck(oracle, path, type)),
    keysCheck(path),
    countryCheck(path),
    distanceCheck(path),
    ...(path.own.includes("include_geometry") ? [geometryCheck(path)] : []),
  ]);
}

/** A search with the row among the first results. */
export function searchFor(row: SourceRow, { choices }: SearchPath): Record<string, string> {
  const [lon = 0, lat = 0] = row.reach.centre;
  const radius = Math.max(2, Math.ceil(row.reach.radiusMeters + 1));
  return { lat: String(lat), lng: String(lon), radius: String(radius), ...(choices ? { types: row.type } : {}) };
}

/** Returns the row from the path. Throws if it is not found. */
async function fetchRow(kit: Parameters<Check["run"]>[0], path: SearchPath, row: SourceRow): Promise<Item> {
  const answer = await kit.client.get(path.path, searchFor(row, path));
  const item = itemsOf(answer).find(({ id }) => id === row.id);
  if (!item) throw expect.mismatch(`${answer.request}: records`, "none of them", row.id);
  return item;
}

function valuesCheck(oracle: Oracle, path: SearchPath, type: OvertureType): Check {
  const name = `${titleOf(path.path)}: ${type} records have Overture's columns and the values of their source`;
  return check(name, async (kit) => {
    const rows = oracle.served(path, path.choices ? { types: type } : {});
    if (rows.length === 0) throw new NotApplicable("the sources have no such rows");
    for (const row of sampleOf(rows)) {
      const { geometry, properties } = await fetchRow(kit, path, row);
      const own = Object.entries(properties).filter(
        ([key]) => !ADDED.includes(key) || Object.hasOwn(row.properties, key),
      );
      expect.same(`${type} ${row.id}: properties`, Object.fromEntries(own), row.properties);
      expect.equal(`${type} ${row.id}: type`, properties.type, type);
      expect.equal(`${type} ${row.id}: theme`, properties.theme, themeOf(type));
      expect.same(`${type} ${row.id}: geometry`, geometry, geometryJson(row));
      if (type === "place") expect.same(`${row.id}: ext_name`, properties.ext_name, row.properties.names);
      expectNoNulls(`${type} ${row.id}`, properties);
    }
  });
}

const geometryJson = ({ geometry }: SourceRow): Json => JSON.parse(JSON.stringify(geometry));

/** Of each folder the rows with the most columns, one with an empty list, and some random ones. */
function sampleOf(rows: readonly SourceRow[]): SourceRow[] {
  const random = randomFrom(rows.length);
  const weight = (row: SourceRow) => Object.keys(row.properties).length;
  return [...groupBy(rows, ({ folder }) => folder).values()].flatMap((group) => {
    const fullest = [...group].sort((a, b) => weight(b) - weight(a)).slice(0, SAMPLES / 2);
    const hollow = group.filter((row) => difference(at(row.properties, "names", "rules"), []) === undefined);
    return [...fullest, ...hollow.slice(0, 1), ...Array.from({ length: SAMPLES / 2 }, () => random.of(group))];
  });
}

function expectNoNulls(where: string, properties: JsonObject): void {
  for (const [key, value] of Object.entries(properties)) {
    expect.true(`${where}: ${key}`, value !== null, null, "no null column");
    if (isObject(value)) expectNoNulls(`${where}: ${key}`, value);
  }
}

/** A record contains the country that searches use: declared, or from the outline around it. */
function countryCheck(path: SearchPath): Check {
  return check(`${titleOf(path.path)}: records contain the country by which they are found`, async ({ client }) => {
    const types = path.choices ? { types: path.choices.join() } : {};
    const name = (path.choices ?? path.types).some((type) => DECLARED.has(type)) ? "country" : "ext_country";
    for (const country of ["US", "MC", "FR"])
      for (const { id, properties } of itemsOf(await client.get(path.path, { ...types, country, limit: "100" })))
        expect.equal(`${id}: ${name}`, properties[name], country);
  });
}

function keysCheck({ path }: SearchPath): Check {
  return check(`${titleOf(path)}: a record is id, type "Feature", geometry and properties`, async ({ client }) => {
    for (const { whole, id, properties } of itemsOf(await client.get(path, { country: "MC", limit: "50" }))) {
      expect.equal(
        `${id}: keys`,
        Object.keys(isObject(whole) ? whole : {})
          .sort()
          .join(),
        "geometry,id,properties,type",
      );
      expect.equal(`${id}: type`, at(whole, "type"), "Feature");
      expect.equal(`${id}: id among the properties`, properties.id, id);
      expect.equal(`${id}: type of version`, typeof properties.version, "string");
      const common = at(properties, "names", "common");
      expect.true(`${id}: names.common`, common === undefined || isObject(common), common, "a map");
    }
  });
}

function distanceCheck({ path }: SearchPath): Check {
  return check(`${titleOf(path)}: ext_distance with lat and lng, and only then`, async ({ client }) => {
    const near = itemsOf(await client.get(path, { lat: "43.735", lng: "7.42", limit: "20" }));
    const both = itemsOf(await client.get(path, { lat: "43.735", lng: "7.42", country: "MC", limit: "20" }));
    for (const { id, properties } of [...near, ...both])
      expect.equal(`${id}: type of ext_distance`, typeof properties.ext_distance, "number");
    for (const { id, properties } of itemsOf(await client.get(path, { country: "MC", limit: "20" })))
      expect.equal(`${id}: ext_distance`, properties.ext_distance, undefined);
  });
}

function geometryCheck({ path }: SearchPath): Check {
  return check(
    `${titleOf(path)}: include_geometry=false gives null for geometry and changes nothing otherwise`,
    async ({ client }) => {
      const search = { country: "MC", limit: "30" };
      const whole = itemsOf(await client.get(path, search));
      const items = itemsOf(await client.get(path, { ...search, include_geometry: "false" }));
      expect.equal("ids", items.map(({ id }) => id).join(), whole.map(({ id }) => id).join());
      for (const [i, { id, geometry, properties }] of items.entries()) {
        expect.equal(`${id}: geometry`, geometry, null);
        expect.same(`${id}: properties`, properties, whole[i]?.properties);
      }
      const asked = await client.get(path, { ...search, include_geometry: "true" });
      expect.same("include_geometry=true", itemsOf(asked)[0]?.geometry, whole[0]?.geometry);
    },
  );
}
