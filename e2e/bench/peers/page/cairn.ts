/**
 * Cairn, composed as its page worker composes it.
 * @module
 */
import { compose } from "../../../../web/hosts/browser/compose.ts";
import type { Peer } from "../question.ts";

/** Opens the dataset; with a database, resolves when it is up. */
export async function openCairn(executor: "scan" | "sql" | "auto"): Promise<Peer> {
  const { api, dataset } = await compose({
    base: new URL("/", location.href),
    executor,
    ...(executor === "scan" ? {} : { databaseAfter: Promise.resolve() }),
  });
  await dataset.manifest();
  // A country without rows needs no file, but `sql` waits for its database.
  await dataset.search({ collections: ["place"], country: "QQ", limit: 1, offset: 0 });
  return {
    async answer({ lon, lat, radiusMeters, limit, page }) {
      const circle = `lat=${lat}&lng=${lon}&radius=${radiusMeters}`;
      const response = await api(new Request(new URL(`/places?${circle}&limit=${limit}&page=${page}`, location.href)));
      if (!response.ok) throw new Error(`/places answered ${response.status}: ${await response.text()}`);
      const records = (await response.json()) as { id: string }[];
      return { ids: records.map(({ id }) => id), total: Number(response.headers.get("Pagination-Count")) };
    },
  };
}
