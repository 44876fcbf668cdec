/**
 * Indexes of names for MiniSearch and Pagefind, over Cairn's name terms, so that all three have the same results.
 * @module
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import MiniSearch from "minisearch";
import * as pagefind from "pagefind";
import { termsOf } from "../../../data/format/fold.ts";
import { MINISEARCH_OPTIONS, type NameDocument } from "./minisearch-options.ts";
import type { NameFacts } from "./peer-files.ts";

/** Each goes to another process and back. */
const RECORDS_AT_A_TIME = 500;
/** Pagefind writes one file per record: 300,000 took over ten minutes. */
export const MOST_PAGEFIND_ROWS = 100_000;
/** Letters of the searched prefix. */
const PREFIX_CHARS = 3;

/** Names of all rows, or of a country's, in order of id. */
export async function readNames(connection: DuckDBConnection, country?: string): Promise<NameDocument[]> {
  const where = country === undefined ? "" : `WHERE country = '${country}'`;
  const read = await connection.runAndReadAll(`
    SELECT id, country, list_concat([names.primary], map_values(names.common), list_transform(names.rules, rule -> rule.value)) AS names
    FROM copy ${where} ORDER BY id`);
  return read.getRowObjectsJson().map((row) => {
    const names = (row.names as (string | null)[] | null) ?? [];
    const terms = new Set(names.flatMap((name) => [...termsOf(name ?? "")]));
    return { id: String(row.id), country: String(row.country), terms: [...terms].join(" ") };
  });
}

/** Names to search for. */
export function nameFactsOf(documents: readonly NameDocument[]): NameFacts {
  const counts = new Map<string, number>();
  let exact = "";
  for (const document of documents) {
    const terms = document.terms.split(" ");
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    if (exact === "" && terms.length === 2 && terms.every((term) => term.length > PREFIX_CHARS)) exact = document.terms;
  }
  return { exact, ...wordsToAsk(counts) };
}

/** Writes `minisearch.json`, and `pagefind/` if there are few enough rows. */
export async function writeNameIndexes(documents: readonly NameDocument[], folder: string): Promise<void> {
  const index = new MiniSearch<NameDocument>(MINISEARCH_OPTIONS);
  index.addAll(documents);
  writeFileSync(join(folder, "minisearch.json"), JSON.stringify(index));
  if (documents.length <= MOST_PAGEFIND_ROWS) await writePagefind(documents, join(folder, "pagefind"));
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
  for (let start = 0; start < documents.length; start += RECORDS_AT_A_TIME) {
    const adding = documents.slice(start, start + RECORDS_AT_A_TIME).map(({ id, country, terms }) => {
      const filters = { country: [country] };
      return index.addCustomRecord({ url: id, content: terms, language: "unknown", filters, sort: { id } });
    });
    await Promise.all(adding);
  }
  const written = await index.writeFiles({ outputPath });
  if (written.errors.length > 0) throw new Error(`Pagefind writes no index: ${written.errors.join("; ")}`);
  await pagefind.close();
}
