/**
 * Generates questions: texts as people type them, from the dataset's names and a seed, each with its correct answer.
 * @module
 */
import { readFile } from "node:fs/promises";
import { foldText, queryTermsOf } from "../../../data/format/fold.ts";
import { metersBetween } from "../../../data/format/sphere.ts";
import { misspell, rewritten } from "../../../web/engine/testing/as-typed.ts";
import { type Random, randomFrom } from "../../../web/engine/testing/random.ts";
import type { Document, Point } from "./documents.ts";

/** An answer of any program. */
export interface Answer extends Point {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly country: string;
}

export interface Question {
  /** Typed texts, one after the other. The last is complete. */
  readonly texts: readonly [string, ...string[]];
  readonly near?: Point;
  readonly language: string;
  /** The correct answer, for reports. */
  readonly wanted: string;
  isRight(answer: Answer): boolean;
}

export interface Corpus {
  readonly name: string;
  readonly questions: readonly Question[];
}

const LANGUAGES = ["de", "en", "fr", "es", "ja", "ar"] as const;

/** People search for a town of this size from far away. */
const MANY_PEOPLE = 100_000;
const ONE_FROM = 4;
const TWO_FROM = 8;
/** An address this close counts as found. */
const NEAR_METERS = 50;
/** Maximum distance of the user from the searched place. */
const AROUND_METERS = 2000;
const FIRST_KEYSTROKE = 3;

export interface CorporaOptions {
  /** Number of questions per corpus. */
  readonly size: number;
  /** Another seed gives other questions. */
  readonly seed: number;
}

/** Generates the corpora. */
export async function makeCorpora(
  documents: readonly Document[],
  { size, seed }: CorporaOptions,
): Promise<readonly Corpus[]> {
  const random = randomFrom(seed);
  const of = (kind: Document["kind"]) => documents.filter((one) => one.kind === kind);
  const towns = of("division").filter(({ population }) => population > MANY_PEOPLE);
  const [places, streets, addresses] = [of("place"), of("street"), of("address")];
  const local = [...places, ...streets];
  /** Half of them are towns without a location; half are places and streets with a location nearby. */
  const mixed = (isFit: (one: Document) => boolean, asked: (one: Document) => Question): Question[] => {
    const groups = [towns.filter(isFit), places.filter(isFit), towns.filter(isFit), streets.filter(isFit)];
    return Array.from({ length: size }, (_, i) => asked(random.of(groups[i % groups.length] ?? [])));
  };
  const named = (one: Document, text = one.name): Question => ({
    texts: [text],
    ...(one.kind === "division" ? {} : { near: around(one, random) }),
    language: "en",
    wanted: one.name,
    isRight: isSame(one),
  });
  const wrong = (least: number, edits: number) => {
    const isLong = (word: string) => /^[a-z]+$/.test(word) && word.length >= least;
    const isFit = ({ name }: Document) => /^[\p{L} ]+$/u.test(name) && queryTermsOf(name).some(isLong);
    return mixed(isFit, (one) => {
      const words = queryTermsOf(one.name);
      const at = words.indexOf(random.of(words.filter(isLong)));
      let word = words[at] ?? "";
      while (word === words[at]) for (let i = 0; i < edits; i++) word = misspell(word, random);
      return named(one, words.with(at, word).join(" "));
    });
  };
  const some = <T>(make: () => T): T[] => Array.from({ length: size }, make);
  const foreign = towns.filter(({ common }) => LANGUAGES.some((language) => common[language]));
  return [
    { name: "names as they are", questions: mixed(() => true, named) },
    { name: "one letter wrong", questions: wrong(ONE_FROM, 1) },
    { name: "two letters wrong", questions: wrong(TWO_FROM, 2) },
    { name: "addresses rewritten", questions: some(() => addressQuestion(addresses, random)) },
    {
      name: "names in six languages",
      questions: some(() => {
        const one = random.of(foreign);
        const typed = random.of(LANGUAGES.filter((each) => one.common[each]));
        return { ...named(one, one.common[typed]), language: random.of(LANGUAGES) };
      }),
    },
    {
      name: "with where it lies",
      questions: some(() => narrowed(random.of([random.of(towns), random.of(local)]), towns, random)),
    },
    { name: "words of categories", questions: await categoryQuestions(places, random, size) },
    {
      name: "each keystroke",
      questions: mixed(
        ({ name }) => name.length > FIRST_KEYSTROKE,
        (one) => ({ ...named(one), texts: keystrokes(one.name) }),
      ).slice(0, Math.ceil(size / 4)),
    },
  ];
}

/** Its prefixes from the third letter on. */
function keystrokes(name: string): [string, ...string[]] {
  const letters = Array.from(name);
  const [first = name, ...others] = letters.flatMap((_, i) =>
    i + 1 < FIRST_KEYSTROKE ? [] : [letters.slice(0, i + 1).join("")],
  );
  return [first, ...others];
}

/** Another row of the same name is also correct, because the text cannot distinguish them. */
function isSame({ id, kind, name, country, common }: Document): Question["isRight"] {
  const names = new Set([name, ...Object.values(common)].map(foldText));
  const isDivision = kind === "division";
  return (answer) =>
    answer.id === id ||
    ((answer.kind === kind || (isDivision && answer.kind === "country")) &&
      names.has(foldText(answer.name)) &&
      (isDivision || answer.country === country));
}

function around({ lon, lat }: Point, random: Random): Point {
  const [meters, angle] = [random.below(AROUND_METERS), (random.below(360) * Math.PI) / 180];
  const perDegree = 111_195;
  const own = lat + (meters * Math.sin(angle)) / perDegree;
  return { lat: own, lon: lon + (meters * Math.cos(angle)) / (perDegree * Math.cos((own * Math.PI) / 180)) };
}

function addressQuestion(addresses: readonly Document[], random: Random): Question {
  const country = random.of(["US", "MC"]);
  const one = random.of(addresses.filter((each) => each.country === country));
  const { address } = one;
  if (!address) throw new Error(`${one.id} is no address`);
  const same = addresses.filter(
    (each) => each.address?.street === address.street && each.address.number === address.number,
  );
  return {
    texts: [rewritten(address, random)],
    near: around(one, random),
    language: "en",
    wanted: one.name,
    isRight: (answer) => same.some((each) => metersBetween(each, answer) <= NEAR_METERS),
  };
}

/** A town and its country, or a place or street and its town, without a comma, from another location. */
function narrowed(one: Document, towns: readonly Document[], random: Random): Question {
  const far = random.of(towns);
  const place = one.kind === "division" ? COUNTRIES.of(one.country) : one.country === "US" ? "Boulder" : "Monaco";
  return { texts: [`${one.name} ${place}`], near: far, language: "en", wanted: one.name, isRight: isSame(one) };
}

const COUNTRIES = new Intl.DisplayNames("en", { type: "region" });

async function categoryQuestions(places: readonly Document[], random: Random, size: number): Promise<Question[]> {
  const words = await Promise.all(
    LANGUAGES.map(async (language) => ({ language, words: await categoryWords(language) })),
  );
  return Array.from({ length: size }, () => {
    for (;;) {
      const one = random.of(places);
      const { language, words: called } = random.of(words);
      const category = one.categories[0] ?? "";
      const [name] = called[category] ?? [];
      if (name === undefined) continue;
      // One word may be the name of several categories.
      const meant = Object.keys(called).filter((id) => called[id]?.some((each) => foldText(each) === foldText(name)));
      const having = new Set(
        places.filter(({ categories }) => categories.some((each) => meant.includes(each))).map(({ id }) => id),
      );
      return {
        texts: [name],
        near: around(one, random),
        language,
        wanted: category,
        isRight: ({ kind, id }) => (kind === "category" ? meant.includes(id) : having.has(id)),
      };
    }
  });
}

/** Names of categories in the language, read as the page does. */
export async function categoryWords(language: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const path = new URL(`../../../web/hosts/category-words/words-${language}.json`, import.meta.url);
  return JSON.parse(await readFile(path, "utf8"));
}
