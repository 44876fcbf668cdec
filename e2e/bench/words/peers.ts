/**
 * The compared programs: Cairn over its files, and two with all documents in memory.
 * @module
 */
import { gzipSync } from "node:zlib";
import MiniSearch from "minisearch";
import { queryTermsOf, wordsOf } from "../../../data/format/fold.ts";
import { metersBetween } from "../../../data/format/sphere.ts";
import { openDataset } from "../../../web/engine/index.ts";
import { type CountingSource, countingSource } from "../../../web/engine/testing/sources.ts";
import { joinRanges } from "../../../web/hosts/http/join-ranges.ts";
import { folderSource } from "../../../web/hosts/node/folder-source.ts";
import { decodeParquet } from "../../../web/hosts/node/parquet.ts";
import { type Answer, categoryWords, type Question } from "./corpora.ts";
import type { Document, Point } from "./documents.ts";
import { type Network, slowSource } from "./slow-source.ts";

export interface Asked {
  readonly answers: readonly Answer[];
  readonly bytes: number;
  readonly requests: number;
  readonly milliseconds: number;
}

/** A new user with an empty cache. Data that was read stays cached. */
export interface Reader {
  ask(question: Omit<Question, "isRight" | "texts" | "wanted">, text: string): Promise<Asked>;
}

export interface Peer {
  readonly name: string;
  /** Data that is needed before the first answer. */
  readonly before: string;
  open(): Promise<Reader>;
}

const LIMIT = 5;

/** Cairn as a peer. */
export function cairn(folder: string, network: Network): Peer {
  return {
    name: "Cairn",
    before: "the manifest",
    async open() {
      const counted: CountingSource = countingSource(slowSource(folderSource(folder), network));
      const dataset = openDataset({ source: joinRanges(counted), decode: decodeParquet });
      await dataset.manifest();
      return {
        async ask({ near, language }, text) {
          const called = await wordsIn(language);
          counted.reset();
          const start = performance.now();
          const found = await dataset.suggest({
            text,
            near,
            language,
            limit: LIMIT,
            categories: true,
            isTyped: true,
            categoryWords: [called],
          });
          const milliseconds = performance.now() - start;
          const bytes = counted.requests.reduce((sum, request) => sum + request.bytes, 0);
          return { answers: found, bytes, requests: counted.requests.length, milliseconds };
        },
      };
    },
  };
}

const loaded = new Map<string, Awaited<ReturnType<typeof categoryWords>>>();

/** The page loads them before the user types. */
async function wordsIn(language: string) {
  const words = loaded.get(language) ?? (await categoryWords(language));
  loaded.set(language, words);
  return words;
}

interface Indexed {
  readonly id: number;
  readonly words: string;
  readonly around: string;
}

/** Words of up to 7 letters may have one error, longer ones two. Words match by prefix. */
export function miniSearch(documents: readonly Document[]): Peer {
  const index = new MiniSearch<Indexed>({
    fields: ["words", "around"],
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term,
  });
  index.addAll(
    documents.map(({ words, around }, id) => ({ id, words: [...words].join(" "), around: [...around].join(" ") })),
  );
  const bytes = gzipSync(JSON.stringify(index)).length;
  const answer = ({ near }: Pick<Question, "near">, text: string): Answer[] => {
    const found = index.search(
      wordsOf(text)
        .map((word) => word.text)
        .join(" "),
      {
        combineWith: "AND",
        prefix: true,
        fuzzy: (term) => (term.length < 4 ? false : term.length < 8 ? 1 : 2),
        boostDocument: (id) => {
          const one = documents[id];
          return one ? 1 + one.importance + nearness(one, near) : 1;
        },
      },
    );
    return found.slice(0, LIMIT).flatMap(({ id }) => documents[id] ?? []);
  };
  return inMemory("MiniSearch", bytes, answer);
}

/** A few kilometres count as much as importance. */
function nearness(one: Point, near: Point | undefined): number {
  return near ? 1 / (1 + metersBetween(one, near) / 1000) : 0;
}

/**
 * A plain loop like Nominatim: documents with each word, complete, in a name or its surroundings, and at least one in
 * a name.
 * By importance, then by distance.
 */
export function allWords(documents: readonly Document[]): Peer {
  const having = new Map<string, number[]>();
  for (const [id, { words, around }] of documents.entries()) {
    for (const word of new Set([...words, ...around])) {
      const ids = having.get(word);
      if (ids) ids.push(id);
      else having.set(word, [id]);
    }
  }
  const size = [...having].reduce((sum, [word, ids]) => sum + word.length + 4 * ids.length, 0);
  const answer = ({ near }: Pick<Question, "near">, text: string): Answer[] => {
    const words = queryTermsOf(text);
    const lists = words.map((word) => having.get(word) ?? []).sort((a, b) => a.length - b.length);
    const [rarest = []] = lists;
    const found = rarest.flatMap((id) => {
      const one = documents[id];
      if (!one?.words || !words.every((word) => one.words.has(word) || one.around.has(word))) return [];
      return words.some((word) => one.words.has(word))
        ? [{ one, rank: one.importance + nearness(one, near) / 10 }]
        : [];
    });
    return found
      .sort((a, b) => b.rank - a.rank)
      .slice(0, LIMIT)
      .map(({ one }) => one);
  };
  return inMemory("all words", size, answer);
}

function inMemory(
  name: string,
  indexBytes: number,
  answer: (question: Pick<Question, "near">, text: string) => readonly Answer[],
): Peer {
  return {
    name,
    before: `an index of ${(indexBytes / 1e6).toFixed(1)} MB`,
    async open() {
      return {
        async ask(question, text) {
          const start = performance.now();
          const answers = answer(question, text);
          return { answers, bytes: 0, requests: 0, milliseconds: performance.now() - start };
        },
      };
    },
  };
}
