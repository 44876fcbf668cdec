import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import en from "../../web/app/text/messages/en.json" with { type: "json" };
import { pages, projectPages } from "./blocks.ts";

/** Words of old or literary English. `docs/contributing.md` lists their replacements. */
const UNUSUAL = [
  /\b(tells?|told|anew|beside|stands?|lies?|dear|hence|thereof|whatever|whoever|nobody|none|else)\b/i,
  /\b(at hand|hangs? on|be had|so many|so much|are those|is that of|those of)\b/i,
  /\b(beginnings?|stretch(es)?|shel(f|ves)|losers?|reckon(ed)?|foretells?|mend(ed|s)?)\b/i,
  /^(who|whoever|whatever)\b/i,
];
/** Words that have one replacement everywhere. */
const FORBIDDEN = /\b(foretell(s|ing)?|reckon(ed|ing|s)?|thereof|whence|dearest|befall(s|en)?)\b/i;
/** Words that names of files, functions and values do not have. */
const UNUSUAL_NAMES = new Set(
  "anew beginning deaf dear dearest door doors foresee foresight foretell guest guests loser losers mend reckon rim shelf spoilt starved starving stranger strangers stretch wayward".split(
    " ",
  ),
);
const DECLARED = /\b(?:const|let|function\*?|class|interface|type|readonly)\s+(\w+)/g;
const LONG_SENTENCE = 30;
/** A heading or a label is not a sentence. */
const SHORTEST_SENTENCE = 3;

interface Bounds {
  /** Unusual words per 10,000 words. */
  readonly unusual: number;
  /** Words of the median sentence. */
  readonly median: number;
  /** Share of sentences of more than 30 words. */
  readonly long: number;
}

const PROSE: Bounds = { unusual: 15, median: 13, long: 0.03 };
const SOURCE: Bounds = { unusual: 25, median: 13, long: 0.03 };

function sentencesOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, " ").split(/(?<=[.!?:;])\s+(?=[A-Z`*"\d])/))
    .map((sentence) => sentence.replace(/^[-*#>\d.\s]+/, "").trim())
    .filter((sentence) => wordsIn(sentence) >= SHORTEST_SENTENCE);
}

function wordsIn(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length;
}

/** The prose of a page: no code, tables or comments; the text of links; each item of a list by itself. */
function proseOf(page: string): string {
  return page
    .replaceAll(/```.*?```/gs, "\n\n")
    .replaceAll(/^\|.*\|$/gm, "")
    .replaceAll(/<!--.*?-->/gs, "")
    .replaceAll(/`[^`]*`/g, "X")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\n\s*(?:[-*]|\d+\.)\s/g, "\n\n");
}

/** Comments of a program, and its texts of several words, also those with values in them. */
function commentsAndTexts(program: string): string {
  const found = program.matchAll(/\/\*\*?(.*?)\*\/|(?<!:)\/\/([^\n]*)|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\\n]|\\.)*)`/gs);
  return [...found]
    .map(([, block, line, plain, template]) => {
      const text = plain ?? template?.replaceAll(/\$\{[^}]*\}/g, "X") ?? "";
      return block ?? line ?? (isProse(text) ? text : "");
    })
    .map((text) =>
      text
        .replaceAll(/^\s*\*/gm, " ")
        .replaceAll(/@\w+/g, "")
        .replaceAll(/`[^`]*`/g, "X"),
    )
    .join("\n\n");
}

function isProse(text: string): boolean {
  return /^[A-Za-z{][^;=]*\s[^;=]*\s[^;=]*\s/.test(text) && !/\b(SELECT|FROM|WHERE|CREATE|ORDER BY)\b/.test(text);
}

/** What exceeds the bounds, with the sentences to change first. */
function faultsOf(texts: ReadonlyMap<string, string>, { unusual, median, long }: Bounds): string[] {
  const sentences = [...texts].flatMap(([name, text]) =>
    sentencesOf(text).map((sentence) => ({ name, sentence, words: wordsIn(sentence), marks: marksIn(sentence) })),
  );
  const words = sum(sentences.map((sentence) => sentence.words));
  const marks = sum(sentences.map((sentence) => sentence.marks));
  const lengths = sentences.map((sentence) => sentence.words).sort((a, b) => a - b);
  const tooLong = sentences.filter((sentence) => sentence.words > LONG_SENTENCE);
  const listOf = (found: typeof sentences) =>
    found
      .slice(0, 20)
      .map(({ name, sentence }) => `\n  ${name}: ${sentence}`)
      .join("");
  const faults: string[] = [];
  const rate = (marks / words) * 10_000;
  if (rate >= unusual) {
    const found = sentences.filter((sentence) => sentence.marks > 0).sort((a, b) => b.marks - a.marks);
    faults.push(`${rate.toFixed(1)} unusual words per 10,000, expected under ${unusual}:${listOf(found)}`);
  }
  const middle = lengths[lengths.length >> 1] ?? 0;
  if (middle > median) faults.push(`the median sentence has ${middle} words, expected ${median} or fewer`);
  if (tooLong.length > long * sentences.length) {
    faults.push(`${tooLong.length} of ${sentences.length} sentences are too long:${listOf(tooLong)}`);
  }
  const forbidden = sentences.filter(({ sentence }) => FORBIDDEN.test(sentence));
  if (forbidden.length > 0) faults.push(`words that have a replacement:${listOf(forbidden)}`);
  return faults;
}

function marksIn(sentence: string): number {
  return UNUSUAL.reduce((count, word) => count + Number(word.test(sentence)), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Names that a program declares, and the name of its file, that have an unusual word. */
function unusualNames(path: string, program: string): string[] {
  const names = [path.replace(/^.*\//, ""), ...Array.from(program.matchAll(DECLARED), ([, name = ""]) => name)];
  const wordsOf = (name: string) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return names.filter((name) => wordsOf(name).some((word) => UNUSUAL_NAMES.has(word.toLowerCase())));
}

async function programNames(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true }))
    .filter((name) => /\.tsx?$/.test(name) && !/languages\.ts|language\.test|node_modules/.test(name))
    .sort();
}

async function programsIn(folder: string): Promise<Map<string, string>> {
  const texts = (await programNames(folder)).map(async (name) => {
    const path = join(folder, name);
    return [path, commentsAndTexts(await readFile(path, "utf8"))] as const;
  });
  return new Map(await Promise.all(texts));
}

describe("plain English", () => {
  test("in the README and the pages", async () => {
    const named = [...(await pages()), ...(await projectPages())];
    const read = named.map(async (page) => [page, proseOf(await readFile(page, "utf8"))] as const);
    expect(faultsOf(new Map(await Promise.all(read)), PROSE)).toEqual([]);
  });

  test("in the page's texts", () => {
    expect(faultsOf(new Map(Object.entries(en)), PROSE)).toEqual([]);
  });

  test.each(["data", "pipeline", "web", "e2e"])("in comments and messages of %s", async (folder) => {
    expect(faultsOf(await programsIn(folder), SOURCE)).toEqual([]);
  });

  test.each(["data", "pipeline", "web", "e2e"])("in names of files, functions and values of %s", async (folder) => {
    const faults = (await programNames(folder)).map(async (name) => {
      const path = join(folder, name);
      return unusualNames(path, await readFile(path, "utf8")).map((found) => `${path}: ${found}`);
    });
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });

  test("a name with an unusual word is a fault", () => {
    expect(unusualNames("e2e/doors.ts", "const isRimRow = 1; const rows = 2; // a stranger")).toEqual([
      "doors.ts",
      "isRimRow",
    ]);
  });

  test("unusual words, long sentences and forbidden words are faults", () => {
    const faults = (text: string) => faultsOf(new Map([["a page", text]]), PROSE);
    expect(faults("The command writes a file.")).toEqual([]);
    expect(faults("The command tells what stands there.")).toHaveLength(1);
    expect(faults(`The command ${"and the file ".repeat(12)} ends.`)).toHaveLength(2);
    expect(faults("We reckoned the size of it.")).toHaveLength(2);
    expect(sentencesOf(proseOf("See [the page](told.md).\n\n```sh\nnobody told\n```\n\n| told |\n"))).toEqual([
      "See the page.",
    ]);
    expect(commentsAndTexts('/** A comment. */ const a = "one word"; // at the end\n')).toContain("at the end");
    expect(commentsAndTexts(["throw new Error(`$", "{path} has no row for an id`);"].join(""))).toContain(
      "X has no row for an id",
    );
  });
});
