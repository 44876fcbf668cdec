/**
 * Which rows the implementation keeps under which country, for types that declare none: asked once, then taken as given.
 * @module
 */
import { type Client, countHeader, itemsOf } from "./client.ts";
import type { SearchPath } from "./paths.ts";
import type { OvertureType } from "./types.ts";

/** Folders of sources whose rows lie in one country for certain. */
export const FOLDER_COUNTRIES: Readonly<Record<string, string>> = { boulder: "US", monaco: "MC" };

export interface Countries {
  /** Ids that a search by country alone gives. */
  ids(path: SearchPath, types: readonly OvertureType[], country: string): Promise<ReadonlySet<string>>;
}

/** The largest page that the interface serves. */
const LIMIT = 25_000;

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
