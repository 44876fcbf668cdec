/**
 * CSV: the specified columns, and the values of the JSON records.
 * @module
 */
import { type Check, check, type Kit } from "../check.ts";
import { type Item, itemsOf } from "../client.ts";
import { type Csv, parseCsv } from "../csv-reader.ts";
import { expect } from "../expect.ts";
import { at, type Json, listAt, textAt, textsAt } from "../json.ts";
import type { Oracle } from "../oracle.ts";
import { SEARCH_PATHS, type SearchPath, titleOf } from "../paths.ts";
import { columnsOf, POINTS } from "../types.ts";
import { geometryOfWkt } from "../wkt-reader.ts";

const FIRST = ["id", "longitude", "latitude"];
const PLACE_COLUMNS =
  "name category alternate_categories confidence freeform locality postcode region country phones websites socials emails brand brand_wikidata operating_status version sources".split(
    " ",
  );
const SEPARATOR = " | ";
const SEARCHES = [
  { lat: "43.735", lng: "7.42", radius: "400", limit: "300" },
  { lat: "40.017", lng: "-105.28", radius: "400", limit: "300" },
];

/** Makes the checks of CSV. */
export function csvChecks(_oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap((path) => [
    check(`${titleOf(path.path)}: csv has the specified columns for all rows`, async (kit) => headerLine(kit, path)),
    check(`${titleOf(path.path)}: csv has the records of json, in the same order`, async (kit) => values(kit, path)),
    check(`${titleOf(path.path)}: csv is RFC 4180: lines end in CRLF`, async ({ client }) => {
      const { text } = await client.get(path.path, { country: "MC", limit: "3", format: "csv" });
      const unquoted = text.replace(/"(?:[^"]|"")*"/g, "");
      expect.true("line ends", !/[^\r]\n/.test(unquoted) && unquoted.includes("\r\n"), unquoted.slice(0, 200), "CRLF");
    }),
    check(`${titleOf(path.path)}: includes keeps the csv columns of the listed properties`, async ({ client }) => {
      const answer = await client.get(path.path, {
        country: "MC",
        limit: "5",
        format: "csv",
        includes: "names,version",
      });
      const { columns } = parseCsv(answer);
      const kept = hasNames(path) ? ["name", "version"] : ["version"];
      expect.equal(
        "columns",
        columns
          .filter((name) => name !== "geometry")
          .sort()
          .join(),
        [...FIRST, ...kept].sort().join(),
      );
    }),
  ]);
}

function hasNames({ types }: SearchPath): boolean {
  return types.some((type) => columnsOf(type).includes("names"));
}

async function headerLine({ client }: Kit, path: SearchPath): Promise<void> {
  const empty = parseCsv(await client.get(path.path, { country: "QZ", format: "csv" }));
  expect.equal("rows", empty.rows.length, 0);
  for (const search of SEARCHES) {
    const { columns } = parseCsv(await client.get(path.path, { ...search, limit: "2", format: "csv" }));
    expect.equal("columns of an empty page", empty.columns.join(), columns.join());
  }
  expect.equal("first columns", empty.columns.slice(0, 3).join(), FIRST.join());
  if (path.path === "/places") expect.equal("columns", empty.columns.slice(3).join(), PLACE_COLUMNS.join());
  const isPoint = !path.isJoined && (path.choices ?? path.types).every((type) => POINTS.has(type));
  expect.equal("last column is geometry", empty.columns.at(-1) === "geometry", !isPoint);
  expect.equal("column of names", empty.columns.includes("name"), hasNames(path));
}

async function values({ client }: Kit, { path }: SearchPath): Promise<void> {
  for (const search of SEARCHES) {
    const csv = parseCsv(await client.get(path, { ...search, format: "csv" }));
    const items = itemsOf(await client.get(path, search));
    expect.equal("ids", csv.rows.map(({ id }) => id).join(), items.map(({ id }) => id).join());
    for (const [i, item] of items.entries()) compareRow(csv, csv.rows[i] ?? {}, item);
  }
}

function compareRow({ columns }: Csv, row: Readonly<Record<string, string>>, item: Item): void {
  const same = (name: string, value: Json | undefined) => {
    if (columns.includes(name)) expect.equal(`${item.id}: ${name}`, row[name], cellOf(value));
  };
  const { properties, geometry } = item;
  same("name", at(properties, "names", "primary"));
  for (const name of SCALARS) same(name, properties[name]);
  for (const list of ["phones", "websites", "socials", "emails"]) same(list, properties[list]);
  same("category", at(properties, "categories", "primary"));
  same("alternate_categories", at(properties, "categories", "alternate"));
  same("brand", at(properties, "brand", "names", "primary"));
  same("brand_wikidata", at(properties, "brand", "wikidata"));
  const [address, ...others] = listAt(properties, "addresses");
  if (columns.includes("alternate_categories") && others.length === 0)
    for (const name of ["freeform", "locality", "postcode", "region", "country"]) same(name, at(address, name));
  const datasets = new Set(listAt(properties, "sources").map((source) => textAt(source, "dataset") ?? ""));
  const cited = new Set((row.sources ?? "").split(SEPARATOR));
  if (columns.includes("sources"))
    expect.equal(`${item.id}: sources`, [...cited].sort().join(), [...datasets].sort().join());
  compareGeometry(columns, row, item.id, geometry);
}

const SCALARS = [
  "version",
  "confidence",
  "operating_status",
  "subtype",
  "class",
  "height",
  "street",
  "number",
  "is_land",
];

function compareGeometry(
  columns: readonly string[],
  row: Readonly<Record<string, string>>,
  id: string,
  geometry: Json,
): void {
  const [lon, lat] = [Number(row.longitude), Number(row.latitude)];
  if (textAt(geometry, "type") === "Point")
    expect.same(`${id}: longitude, latitude`, [lon, lat], at(geometry, "coordinates"));
  expect.true(`${id}: longitude, latitude`, Math.abs(lon) <= 180 && Math.abs(lat) <= 90, [lon, lat], "a position");
  if (columns.includes("geometry")) expect.same(`${id}: geometry`, geometryOfWkt(row.geometry ?? ""), geometry);
}

function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? textsAt(value).join(SEPARATOR) : String(value);
}
