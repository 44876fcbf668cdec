/**
 * Pagefind: fetches the index parts for the words, and a fragment for each displayed result.
 * @module
 */
import type { Peer } from "../question.ts";

interface Pagefind {
  init(): Promise<void>;
  search(text: string, options: object): Promise<{ results: { data(): Promise<{ raw_url: string; url: string }> }[] }>;
}

/** Opens the Pagefind index. */
export async function openPagefind(folder: string): Promise<Peer> {
  const pagefind = (await import(/* @vite-ignore */ new URL(`${folder}pagefind.js`, location.href).href)) as Pagefind;
  await pagefind.init();
  return {
    async answer(question) {
      if (question.kind !== "name") throw new Error("Pagefind has names alone");
      const { text, country, limit, page } = question;
      const { results } = await pagefind.search(text, { filters: { country: [country] }, sort: { id: "asc" } });
      const shown = await Promise.all(results.slice(page * limit, (page + 1) * limit).map((result) => result.data()));
      return { total: results.length, ids: async () => shown.map(({ raw_url }) => raw_url) };
    },
  };
}
