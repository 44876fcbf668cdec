/**
 * MiniSearch with the index of all names in memory. It returns ids only; records would need another request.
 * @module
 */
import MiniSearch from "minisearch";
import { queryTermsOf } from "../../../../data/format/fold.ts";
import { MINISEARCH_OPTIONS, type NameDocument } from "../minisearch-options.ts";
import type { Peer } from "../question.ts";

/** Its data is the complete index, which is loaded for the first question. */
export function openMinisearch(url: string): Peer {
  let index: MiniSearch<NameDocument> | undefined;
  return {
    async answer(question) {
      if (question.kind !== "name") throw new Error("MiniSearch has names alone");
      const { country, limit, page } = question;
      index ??= MiniSearch.loadJSON<NameDocument>(await (await fetch(url)).text(), MINISEARCH_OPTIONS);
      const found = index.search(queryTermsOf(question.text).join(" "), {
        prefix: true,
        combineWith: "AND",
        filter: (result) => result.country === country,
      });
      const ids = found.map(({ id }) => String(id)).sort();
      return { total: ids.length, ids: async () => ids.slice(page * limit, (page + 1) * limit) };
    },
  };
}
