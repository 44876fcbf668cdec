/**
 * Indexes of names for MiniSearch and Pagefind, over the terms that Cairn finds names by: so that all three find the same.
 * @module
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import MiniSearch from "minisearch";
import * as pagefind from "pagefind";
import { queryTermsOf, termsOf } from "../../../data/format/fold.ts";
import { MINISEARCH_OPTIONS, type NameDocument } from "./minisearch-options.ts";
import type { NameFacts } from "./peer-files.ts";

/** Letters of the beginning that is asked for. */
const PREFIX_CHARS = 3;

/** Writes `minisearch.json` and `pagefind/`; tells what names of the country to ask for. */
export async function writeNameIndexes(
  connection: DuckDBConnection,
  country: string,
  folder: string,
): Promise<NameFacts> {
  const documents: NameDocument[] = [];
  const counts = new Map<string, number>();
  let exact: string | undefined;
  const read = await connection.runAndReadAll(`
    SELECT id, country, list_concat([names.primary], map_values(names.common), list_transform(names.rules, rule -> rule.value)) AS names
    FROM copy ORDER BY id`);
  for (const row of read.getRowObjectsJson()) {
    const names = (row.names as (string | null)[] | null) ?? [];
    const terms = new Set(names.flatMap((name) => [...termsOf(name ?? "")]));
    documents.push({ id: String(row.id), country: String(row.country), terms: [...terms].join(" ") });
    if (row.country !== country) continue;
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const words = queryTermsOf(names[0] ?? "");
    if (words.length === 2 && words.every((word) => word.length > PREFIX_CHARS)) exact ??= words.join(" ");
  }
  const index = new MiniSearch<NameDocument>(MINISEARCH_OPTIONS);
  index.addAll(documents);
  writeFileSync(join(folder, "minisearch.json"), JSON.stringify(index));
  await writePagefind(documents, join(folder, "pagefind"));
  return { exact: exact ?? "", ...wordsToAsk(counts) };
}

function wordsToAsk(counts: ReadonlyMap<string, number>): Omit<NameFacts, "exact"> {
  const words = [...counts].filter(([word]) => word.length > PREFIX_CHARS && /^\p{L}+$/u.test(word));
  words.sort(([a, rowsA], [b, rowsB]) => rowsB - rowsA || (a < b ? -1 : 1));
  const begins = (word: string) => words.filter(([other]) => other.startsWith(word)).length;
  const [hot = ""] = words[0] ?? [];
  const [middle = ""] = words[Math.floor(words.length / 10)] ?? [];
  const rare = words.find(([word, rows]) => rows === 1 && begins(word) === 1)?.[0] ?? "";
  if (!hot || !rare) throw new Error(`names have no word of many places and of one, found ${words.length} words`);
  return { prefix: middle.slice(0, PREFIX_CHARS), rare, hot };
}

async function writePagefind(documents: readonly NameDocument[], outputPath: string): Promise<void> {
  const { index, errors } = await pagefind.createIndex({ forceLanguage: "unknown" });
  if (!index) throw new Error(`Pagefind makes no index: ${errors.join("; ")}`);
  for (const { id, country, terms } of documents) {
    await index.addCustomRecord({
      url: id,
      content: terms,
      language: "unknown",
      filters: { country: [country] },
      sort: { id },
    });
  }
  const written = await index.writeFiles({ outputPath });
  if (written.errors.length > 0) throw new Error(`Pagefind writes no index: ${written.errors.join("; ")}`);
  await pagefind.close();
}
