/**
 * The three formats contain the same records.
 * @module
 */
import { type Check, check } from "../check.ts";
import { itemsOf, jsonOf } from "../client.ts";
import { expect } from "../expect.ts";
import { at } from "../json.ts";
import type { Oracle } from "../oracle.ts";
import { SEARCH_PATHS, titleOf } from "../paths.ts";

const SEARCHES = [
  { country: "MC", limit: "40", page: "1" },
  { lat: "43.735", lng: "7.42", limit: "40" },
  { country: "QZ" },
  { country: "MC", limit: "10", includes: "version,names" },
];

/** Makes the checks of formats. */
export function formatChecks(_oracle: Oracle): Check[] {
  return SEARCH_PATHS.flatMap(({ path }) => [
    check(`${titleOf(path)}: json is the default, an array`, async ({ client }) => {
      for (const search of SEARCHES) {
        const bare = await client.get(path, search);
        itemsOf(bare);
        const { text } = await client.get(path, { ...search, format: "json" });
        expect.equal("body", text, bare.text);
      }
    }),
    check(`${titleOf(path)}: geojson is a FeatureCollection of the same objects`, async ({ client }) => {
      for (const search of SEARCHES) {
        const records = jsonOf(await client.get(path, search));
        const collection = jsonOf(await client.get(path, { ...search, format: "geojson" }));
        expect.equal("type", at(collection, "type"), "FeatureCollection");
        expect.same("features", at(collection, "features"), records);
      }
    }),
  ]);
}
