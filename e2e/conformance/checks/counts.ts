/**
 * Brands, categories and countries of the places that match.
 * @module
 */
import { type Check, check, type Kit } from "../check.ts";
import { type Answer, countHeader, jsonOf } from "../client.ts";
import { expect } from "../expect.ts";
import type { Parameters } from "../filters.ts";
import { groupBy } from "../group.ts";
import { type Json, numberAt, textAt } from "../json.ts";
import type { Oracle } from "../oracle.ts";
import { COUNT_PATHS, SEARCH_PATHS, titleOf } from "../paths.ts";
import type { SourceRow } from "../source-rows.ts";

const SEARCHES: readonly Parameters[] = [
  {},
  { lat: "40.017", lng: "-105.28", radius: "700" },
  { lat: "43.735", lng: "7.42", radius: "500" },
  { lat: "40.017", lng: "-105.28", radius: "3000", categories: "restaurant,coffee_shop" },
  { lat: "0", lng: "0", radius: "1" },
];

/** Makes the checks of count paths. */
export function countChecks(_oracle: Oracle): Check[] {
  return [
    check("places/brands: brands of the places that match, most places first, then name", async (kit) => {
      for (const search of SEARCHES) await compareBrands(kit, search);
    }),
    check("places/categories: primary categories of the places that match, with counts", async (kit) => {
      for (const search of SEARCHES) await compareCategories(kit, search);
    }),
    check(
      "places/countries: every country with its places, as a search of it counts them",
      async ({ client, oracle }) => {
        const items = await listOf(await client.get("/places/countries"));
        expectOrder(items);
        const sum = items.reduce<number>((total, item) => total + placesOf(item), 0);
        expect.equal("places of all countries", sum, oracle.rowsOf(["place"]).length);
        for (const item of items) {
          const country = textAt(item, "country") ?? "";
          const answer = await client.get("/places", { country, limit: "1" });
          expect.equal(country, placesOf(item), countHeader(answer, "Pagination-Count"));
          expect.equal(`${country}: type of counts.brands`, typeof numberAt(item, "counts", "brands"), "number");
        }
      },
    ),
    ...COUNT_PATHS.map((path) =>
      check(`${titleOf(path)}: pages like the search paths`, async ({ client }) => {
        const all = await client.get(path, { limit: "25000" });
        const whole = await listOf(all);
        expect.equal("Pagination-Count", countHeader(all, "Pagination-Count"), whole.length);
        const limit = Math.max(1, Math.ceil(whole.length / 3));
        const paged: Json[] = [];
        for (let page = 0; page <= 3; page++) {
          const answer = await client.get(path, { limit: String(limit), page: String(page) });
          paged.push(...(await listOf(answer)));
          expect.equal("Pagination-Count", countHeader(answer, "Pagination-Count"), whole.length);
          expect.equal("Pagination-Page", countHeader(answer, "Pagination-Page"), page);
        }
        expect.same("items of all pages", paged, whole);
      }),
    ),
  ];
}

async function listOf(answer: Answer): Promise<readonly Json[]> {
  expect.equal(`${answer.request}: status`, answer.status, 200, answer.text);
  const body = jsonOf(answer);
  if (!Array.isArray(body)) throw expect.mismatch(`${answer.request}: body`, body, "an array");
  return body;
}

const placesOf = (item: Json): number => numberAt(item, "counts", "places") ?? Number.NaN;
const brandOf = ({ properties }: SourceRow): string | undefined =>
  textAt(properties, "brand", "names", "primary") || undefined;
const wikidataOf = ({ properties }: SourceRow): string | undefined => textAt(properties, "brand", "wikidata");
const bothOf = (row: SourceRow): string | undefined => [brandOf(row), wikidataOf(row)].join(" ").trim() || undefined;
const categoryOf = ({ properties }: SourceRow): string | undefined => textAt(properties, "categories", "primary");

function expectOrder(items: readonly Json[]): void {
  const places = items.map(placesOf);
  const isFalling = places.every((count, i) => i === 0 || count <= (places[i - 1] ?? 0));
  expect.true("order", isFalling, places.slice(0, 20), "most places first");
}

/** Matching places. These searches have no rows that the documents leave undecided. */
function matching({ oracle }: Kit, search: Parameters): SourceRow[] {
  const [places] = SEARCH_PATHS;
  if (!places) return [];
  return search.lat === undefined ? [...oracle.rowsOf(["place"])] : oracle.find(places, search).map(({ row }) => row);
}

async function compareBrands(kit: Kit, search: Parameters): Promise<void> {
  const answer = await kit.client.get("/places/brands", { ...search, limit: "25000" });
  const items = await listOf(answer);
  expectOrder(items);
  for (const [i, item] of items.entries()) {
    const before = items[i - 1] ?? null;
    const [name, earlier] = [textAt(item, "names", "primary") ?? "", textAt(before, "names", "primary") ?? ""];
    if (before !== null && placesOf(before) === placesOf(item))
      expect.true(
        "order",
        earlier <= name || earlier.localeCompare(name) <= 0,
        [earlier, name],
        "by name among equals",
      );
  }
  const shown = new Map<string, number>();
  for (const item of items) {
    const name = textAt(item, "names", "primary");
    if (name !== undefined) shown.set(name, (shown.get(name) ?? 0) + placesOf(item));
  }
  compareCounts(answer, shown, groupBy(matching(kit, search), brandOf));
}

async function compareCategories(kit: Kit, search: Parameters): Promise<void> {
  const answer = await kit.client.get("/places/categories", { ...search, limit: "25000" });
  const items = await listOf(answer);
  expectOrder(items);
  const groups = groupBy(matching(kit, search), categoryOf);
  compareCounts(answer, new Map(items.map((item) => [textAt(item, "primary") ?? "", placesOf(item)])), groups);
  for (const item of items) {
    const primary = textAt(item, "primary") ?? "";
    const rows = groups.get(primary) ?? [];
    const ways = [brandOf, wikidataOf, (row: SourceRow) => brandOf(row) ?? wikidataOf(row), bothOf];
    const counts = ways.map((way) => new Set(rows.map(way).filter((brand) => brand !== undefined)).size);
    const brands = numberAt(item, "counts", "brands") ?? -1;
    const isWithin = brands >= Math.min(...counts) && brands <= Math.max(...counts);
    expect.true(`${primary}: counts.brands`, isWithin, brands, counts.join(" or "));
  }
}

function compareCounts(
  { request }: Answer,
  shown: ReadonlyMap<string, number>,
  groups: ReadonlyMap<string | undefined, readonly SourceRow[]>,
): void {
  for (const [name, rows] of groups)
    if (name !== undefined) expect.equal(`${request}: ${name}`, shown.get(name), rows.length);
  for (const name of shown.keys()) expect.true(`${request}: names`, groups.has(name), name, "names of the sources");
}
