/**
 * Names: word prefixes, other scripts, no accents, and never the middle of a Latin word.
 * @module
 */
import { type Check, check, type Kit } from "../check.ts";
import { countHeader, itemsOf } from "../client.ts";
import { comparePage } from "../compare.ts";
import { expect, NotApplicable } from "../expect.ts";
import { wordsOf } from "../filters.ts";
import { fold, isUnspaced } from "../folding.ts";
import type { Oracle } from "../oracle.ts";
import { SEARCH_PATHS, type SearchPath } from "../paths.ts";
import { randomFrom } from "../random.ts";
import { namesOf, type SourceRow } from "../source-rows.ts";

const DIVISIONS = SEARCH_PATHS.filter(({ path }) => path === "/divisions");
const TYPES = { types: "division,division_area" };

/** Typed text, and a name that it must find if the sources have it. */
const SPELLINGS: readonly (readonly [typed: string, name: string])[] = [
  ["lodz", "Łódź"],
  ["ŁÓDŹ", "Łódź"],
  ["zurich", "Zürich"],
  ["sao paulo", "São Paulo"],
  ["reykjavik", "Reykjavík"],
  ["malmo", "Malmö"],
  ["weissenburg", "Weißenburg"],
  ["東京", "東京"],
  ["香港", "香港"],
  ["京", "東京"],
  ["ろっぽんぎ", "ろっぽんぎ5ちょうめ"],
  ["МОСКВА", "Москва"],
  ["αθηνα", "Αθήνα"],
  ["서울", "서울특별시"],
];

/** Makes the checks of names. */
export function nameChecks(_oracle: Oracle): Check[] {
  return DIVISIONS.flatMap((path) => [
    ...SPELLINGS.map(([typed, name]) =>
      check(`divisions: name=${typed} finds ${name}`, async (kit) => {
        const isHad = kit.oracle
          .rowsOf(["division", "division_area"])
          .some((row) => namesOf(row).some((had) => had.includes(name)));
        if (!isHad) throw new NotApplicable("the sources have no such name");
        expect.true("records", (await searchName(kit, path, typed)) > 0, 0, "some");
      }),
    ),
    check("divisions: words of a name may come in any order", async (kit) => {
      const forward = await kit.client.get("/divisions", { name: "new york", ...TYPES, includes: "type" });
      const backward = await kit.client.get("/divisions", { name: "york new", ...TYPES, includes: "type" });
      expect.equal("body", backward.text, forward.text);
    }),
    check("divisions: every word must be found", async (kit) => {
      expect.equal("records", await searchName(kit, path, "monaco zzqx"), 0);
    }),
    check("divisions: names in every script are found completely, by their prefixes and without accents", async (kit) =>
      everyScript(kit, path),
    ),
    check("divisions: the middle of a Latin word finds only names that start with it", async (kit) =>
      middles(kit, path),
    ),
    check("divisions: a long word must match in its first 40 characters", async (kit) => longWords(kit, path)),
  ]);
}

/** Searches by name and compares with the plain loop. Returns the count. */
async function searchName({ client, oracle }: Kit, path: SearchPath, name: string): Promise<number> {
  const parameters = { ...TYPES, name, limit: "50" };
  const answer = await client.get(path.path, { ...parameters, includes: "type" });
  comparePage(answer, parameters, oracle.find(path, parameters));
  itemsOf(answer);
  return countHeader(answer, "Pagination-Count");
}

const SCRIPTS = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
  "Arabic",
  "Hebrew",
  "Devanagari",
  "Thai",
];

async function everyScript(kit: Kit, path: SearchPath): Promise<void> {
  const names = kit.oracle.rowsOf(["division", "division_area"]).flatMap(namesOf);
  for (const script of SCRIPTS) {
    const pattern = new RegExp(`^(?:\\p{Script=${script}}|[\\p{M}\\s])+$`, "u");
    const written = names.filter((name) => pattern.test(name) && Array.from(name).length >= 2);
    if (written.length === 0) continue;
    const random = randomFrom(script.length);
    for (let i = 0; i < 3; i++) {
      const name = random.of(written);
      expect.true(`name=${name}`, (await searchName(kit, path, name)) > 0, 0, "some records");
      if (script === "Latin") await searchName(kit, path, fold(name).slice(0, 4).trim().padEnd(2, "a"));
    }
  }
}

async function middles(kit: Kit, path: SearchPath): Promise<void> {
  const random = randomFrom(7);
  const rows = kit.oracle.rowsOf(["division"]);
  let tested = 0;
  for (let i = 0; i < 400 && tested < 12; i++) {
    const row = random.of(rows);
    const word = longLatinWord(row);
    if (word === undefined) continue;
    tested++;
    await searchName(kit, path, word.slice(random.integer(1, word.length - 3)));
  }
  if (tested === 0) throw new NotApplicable("the sources have no long Latin word");
}

const longLatinWord = (row: SourceRow): string | undefined =>
  wordsOf(row).find((word) => word.length >= 6 && !isUnspaced(word) && /^[a-z]+$/.test(word));

/** The longest words with and without surrounding spaces, complete, and with other letters at the end and after 30 letters. */
async function longWords(kit: Kit, path: SearchPath): Promise<void> {
  const words = kit.oracle.rowsOf(["division", "division_area"]).flatMap(wordsOf);
  for (const script of [true, false]) {
    const written = words.filter((word) => isUnspaced(word) === script);
    const longest = written.reduce((a, b) => (b.length > a.length ? b : a), "");
    if (longest.length < 2) continue;
    expect.true(`name=${longest}`, (await searchName(kit, path, longest)) > 0, 0, "some records");
    await searchName(kit, path, longest + longest.slice(0, 2));
    await searchName(kit, path, longest.slice(0, 30) + longest.slice(0, 2));
  }
}
