/**
 * Asks the implementation once which rows belong to which country, for types without a declared country.
 * @module
 */
import type { Position } from "geojson";
import { type Client, countHeader, itemsOf } from "./client.ts";
import { haversineMeters } from "./distance.ts";
import type { SearchPath } from "./paths.ts";
import type { SourceRow } from "./source-rows.ts";
import type { OvertureType } from "./types.ts";

export interface Countries {
  /** Ids in the results of a search by country. */
  ids(path: SearchPath, types: readonly OvertureType[], country: string): Promise<ReadonlySet<string>>;
}

/** The maximum page size of the interface. */
const LIMIT = 25_000;

/** Creates the look-up. */
export function createCountries(client: Client): Countries {
  const known = new Map<string, ReadonlySet<string>>();
  return {
    async ids({ path, choices }, types, country) {
      const key = [path, types.join(","), country].join(" ");
      const before = known.get(key);
      if (before) return before;
      const ids = new Set<string>();
      for (let page = 0, count = 1; page * LIMIT < count; page++) {
        const answer = await client.get(path, {
          country,
          includes: "type",
          limit: String(LIMIT),
          page: String(page),
          ...(choices ? { types: types.join(",") } : {}),
        });
        for (const { id } of itemsOf(answer)) ids.add(id);
        count = countHeader(answer, "Pagination-Count");
      }
      known.set(key, ids);
      return ids;
    },
  };
}

/** Sources whose rows are certainly in one country; of a small country, only rows in its middle. */
const CERTAIN: readonly { readonly folder: string; readonly country: string; readonly centre?: Position }[] = [
  { folder: "boulder", country: "US" },
  { folder: "monaco", country: "MC", centre: [7.4215, 43.7345] },
];
const CENTRE_METERS = 300;

/** True if the row is certainly in the country. */
export function isCertainlyIn({ folder, reach }: SourceRow, country: string): boolean {
  return CERTAIN.some(
    (known) =>
      known.folder === folder &&
      known.country === country &&
      (!known.centre || haversineMeters(known.centre, reach.centre) + reach.radiusMeters < CENTRE_METERS),
  );
}
