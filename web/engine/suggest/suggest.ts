/**
 * Suggestions for a text being typed: divisions anywhere, places and streets around the user or in a place that
 * some words name.
 * @module
 */
import { FOLD_VERSION, queryTermsOf, typedWords, wordsOf } from "../../../data/format/fold.ts";
import { FetchError } from "../contract/errors.ts";
import type { Session } from "../store/session.ts";
import { type AddressText, addressTextOf } from "./address-words.ts";
import { addressesIn, addressesOf } from "./addresses-of-text.ts";
import type { CategoryWords } from "./category-names.ts";
import { corrections } from "./corrections.ts";
import { withoutCountry } from "./country-names.ts";
import { searchCountries } from "./elsewhere.ts";
import { ifAvailable } from "./if-available.ts";
import type { Intents } from "./intents.ts";
import {
  type Countries,
  countriesFrom,
  isWithin,
  metersApart,
  type NamedScope,
  type Point,
  placeCollections,
  type Scope,
  scopesNamed,
} from "./scope.ts";
import { byScore, divisionScore, localScore, WITHIN } from "./score.ts";
import { writtenOut } from "./short-forms.ts";
import { isKind } from "./street-words.ts";
import { categoriesOf, suggestCategories } from "./suggest-categories.ts";
import { suggestDivisions } from "./suggest-divisions.ts";
import { type HeldCircle, type SearchRows, suggestHeld } from "./suggest-held.ts";
import { readListsAhead, suggestLocal } from "./suggest-local.ts";
import { firstOfEach, isExact, type Meaning, type Scored, type Suggestion } from "./suggestion.ts";

export interface SuggestQuery {
  /** The text so far: each word is a prefix, in any script and order, without case and accents. */
  readonly text: string;
  /**
   * Country for places and streets, ISO 3166-1 alpha-2; default: the countries around `near`, and of divisions that
   * the text names.
   */
  readonly country?: string | undefined;
  /** Nearer features rank higher. Degrees WGS84. */
  readonly near?: Point | undefined;
  /** Names are in this language (a code of `names.common`) if the row has it. */
  readonly language?: string | undefined;
  /** Maximum number of suggestions. */
  readonly limit: number;
  readonly categories?: boolean | undefined;
  /**
   * Whether names of categories in other languages are tried if no result uses all words; default: if categories are
   * suggested.
   */
  readonly inAnyLanguage?: boolean | undefined;
  /** Category names, the user's language first: used to find categories and their places. */
  readonly categoryWords?: readonly CategoryWords[] | undefined;
  /** What people want to do in places of a category. */
  readonly intents?: Intents | undefined;
  /** A filter of suggestions. Default: all are wanted. */
  readonly isWanted?: ((suggestion: Suggestion) => boolean) | undefined;
  /** Terms such as `category:cafe`, of which a place must have one. */
  readonly placeTerms?: readonly string[] | undefined;
  /** Whether the user is still typing. A few letters then find only what is near or in memory. */
  readonly isTyped?: boolean | undefined;
  /**
   * Allows an incomplete answer, and is called when a file cannot be read. Without it such a file is a `FetchError`,
   * so that no caller presents an incomplete answer as complete.
   */
  readonly onMissing?: (() => void) | undefined;
  /** With `onMissing`: returns saved areas to search when a file cannot be read. */
  readonly held?: (() => Promise<readonly HeldCircle[]>) | undefined;
}

/** Letters from which places and streets are searched: shorter texts are too ambiguous. */
const LOCAL_LETTERS = 3;

/** With fewer results the text may be misspelt. */
const FEW = 3;

/** Limit on extra bytes for a misspelt text: no further correction is looked up that would probably exceed it. */
const MISSPELT_BYTES = 96 * 1024;

/** Limit on bytes for further countries if the text names no country; less per typed letter. */
const ELSEWHERE_BYTES = 1024 * 1024;
const TYPED_ELSEWHERE_BYTES = 64 * 1024;

/** Words between a feature and the place it is near. */
const NEAR = new Set(["near", "around", "bei", "nahe", "pres", "cerca", "vicino", "perto"]);

/** Texts of more words are not searched without one of them. */
const MOST_WORDS = 6;

/** Limit on extra bytes for a text of which one word is left out. */
const SHORTER_BYTES = 96 * 1024;

/** Difference in score between one category and the next. */
const CATEGORY_ORDER = 0.01;

/** Penalty for a changed word, which outweighs a better match. */
const CHANGED = 3;

/**
 * Returns suggestions, best first, by match, importance and distance. Corrections of misspelt words are at the end; after them,
 * in an incomplete answer, results from saved areas.
 */
export async function suggest(
  session: Session,
  query: SuggestQuery,
  search: SearchRows,
): Promise<readonly Suggestion[]> {
  const { limit, near, isWanted = () => true } = query;
  const found = query.onMissing
    ? await suggestIncomplete(session, { ...query, onMissing: query.onMissing }, search)
    : await suggestListed(session, query);
  const typed = typedWords(query.text);
  return onlyOnce(found)
    .map(({ suggestion }): Suggestion => {
      const unused = (suggestion.unused ?? []).map((word) => typed.get(word) ?? word);
      return { ...suggestion, unused };
    })
    .filter(isWanted)
    .slice(0, limit)
    .map((suggestion) => {
      if (!near || suggestion.kind === "category") return suggestion;
      return { ...suggestion, meters: Math.round(metersApart(near, suggestion)) };
    });
}

/** Results from the files that can be read. */
async function suggestIncomplete(
  session: Session,
  query: SuggestQuery & { readonly onMissing: () => void },
  search: SearchRows,
): Promise<readonly Scored[]> {
  let isMissing = false;
  const onMissing = () => {
    isMissing = true;
    query.onMissing();
  };
  const listed = await suggestListed(session, { ...query, onMissing }).catch((error: unknown) => {
    if (!(error instanceof FetchError) || session.signal.aborted) throw error;
    return error;
  });
  const isCut = listed instanceof FetchError;
  if (!isCut && !isMissing) return listed;
  const held = await suggestHeld(session, query, { held: (await query.held?.()) ?? [], search });
  if (!isCut) return [...listed, ...(held ?? [])];
  if (held === undefined) throw listed;
  onMissing();
  return held;
}

async function suggestListed(session: Session, given: SuggestQuery): Promise<readonly Scored[]> {
  const query = { ...given, text: given.text.replace(POSTCODE_COUNTRY, "") };
  const withRows = Object.keys(session.manifest.collections.address?.countries ?? {});
  const named = query.country === undefined ? withoutCountry(query.text, { ...query, countries: withRows }) : undefined;
  if (!named) return suggestText(session, query);
  const found = await suggestText(session, { ...query, ...named });
  return found.some((one) => usesAll(one) || isHouse(one)) ? found : suggestText(session, query);
}

/** The country before a postcode, as in *D-10115* and *MC-98000*. */
const POSTCODE_COUNTRY = /\b[a-z]{1,3}-(?=\d{4,6}\b)/gi;

/** Japan names blocks, and has few names of streets. */
const isBlock = (word: string): boolean => /\p{Script=Han}/u.test(word);

const isHouse = ({ suggestion: { kind, match } }: Scored): boolean => kind === "address" && match === "exact";

const usesAll = ({ suggestion: { unused = [] } }: Scored): boolean => unused.length === 0;

async function suggestText(session: Session, query: SuggestQuery): Promise<readonly Scored[]> {
  const { text } = query;
  const words = queryTermsOf(text);
  if (words.length === 0 || session.manifest.fold_version !== FOLD_VERSION) return [];
  const { first: countries, others: farther, areAround } = await countriesOf(session, { ...query, words });
  const before = text.includes(",") ? queryTermsOf(text.slice(0, text.indexOf(","))) : [];
  const address = countries.length > 0 ? addressTextOf(text) : undefined;
  const [others, addresses, ...full] = await Promise.all([
    foundBy(session, { ...query, words, countries, before }),
    address ? addressesOf(session, address, { ...query, countries }) : [],
    ...writtenOut(words).map(async (whole) =>
      asTyped(await foundBy(session, { ...query, words: whole, countries, before: [] }), { whole, words }),
    ),
  ]);
  const isMeant = [...addresses, ...others].some(
    ({ suggestion: { kind, match } }) => kind === "address" || match !== "part",
  );
  const areUnnamed = !isMeant && address?.words.some((word) => isKind(word) || isBlock(word));
  const unnamed = address && areUnnamed ? await addressesOf(session, address, { ...query, countries, areUnnamed }) : [];
  const here = [...addresses, ...unnamed, ...byFit([...others, ...full.flat()])];
  const whole = { ...query, words, countries, before: [] };
  const elsewhere = (most: number, known: readonly Scored[]) =>
    foundElsewhere(session, {
      ...{ ...whole, countries: farther, address },
      // a category is searched around the user
      categories: areAround ? false : query.categories,
      isEnough: (more) => isEnough([...known, ...more], most),
    });
  const inOthers = areAround ? [] : await elsewhere(query.limit, here);
  const found = byFit(onlyOnce([...here, ...inOthers]));
  // an existing name is not a misspelling; the word of a category may be one
  const isNamed = found.some((one) => isExact(one) && (words.length > 1 || one.suggestion.kind !== "category"));
  const hasAddress = found.some(({ suggestion }) => suggestion.kind === "address");
  const isAnswered = found.length >= FEW || addresses.length + unnamed.length > 0 || hasAddress || isNamed;
  const beside = isAnswered ? [] : await ifAvailable(session, query, foundNear(session, whole));
  const close = isAnswered || beside.length > 0 ? [] : await ifAvailable(session, query, misspelt(session, whole));
  // nearby results come before distant ones, even if misspelt
  const faraway = areAround ? await elsewhere(1, [...beside, ...found, ...close]) : [];
  const all = onlyOnce([...beside, ...byFit([...found, ...faraway]), ...close]);
  const isNearlyUsed = all.some(({ suggestion: { unused = [] } }) => unused.length < 2);
  const shorter = isNearlyUsed || query.isTyped ? [] : await withoutWord(session, whole);
  const meant = onlyOnce([...shorter, ...all]);
  return meant.length > 0 || !query.intents ? meant : partialIntents(session, whole);
}

/** Results that use all words but one, for a text that nothing uses whole. The last word is the first one left out. */
async function withoutWord(session: Session, query: WordsQuery): Promise<Scored[]> {
  if (query.words.length < 3 || query.words.length > MOST_WORDS) return [];
  const before = session.usedBytes();
  for (const left of query.words.toReversed()) {
    if (session.usedBytes() - before > SHORTER_BYTES) return [];
    const words = query.words.filter((word) => word !== left);
    const [direct, near] = await Promise.all([
      foundBy(session, { ...query, words, before: [] }),
      foundNear(session, { ...query, words }),
    ]);
    const found = [...near, ...byFit(direct)].filter(usesAll);
    if (found.length > 0)
      return found.map(({ suggestion, score }) => ({ suggestion: { ...suggestion, unused: [left] }, score }));
  }
  return [];
}

/** Categories whose intents use some of the words, for a text that means nothing else. */
async function partialIntents(session: Session, query: WordsQuery): Promise<Scored[]> {
  const { countries, words, near } = query;
  const inCountry = (country: string) => foundIn(session, { country, words, near }, { ...query, arePartial: true });
  const found = await Promise.all(countries.map(async (country) => ifAvailable(session, query, inCountry(country))));
  return onlyOnce(byFit(found.flat()));
}

function byFit(found: readonly Scored[]): Scored[] {
  return found.toSorted((a, b) => b.score - a.score);
}

/** Countries for places, streets and addresses; empty for too few letters. */
async function countriesOf(
  session: Session,
  { words, country, near }: Pick<WordsQuery, "words" | "country" | "near">,
): Promise<Countries> {
  if (!isLong(words)) return { first: [], others: [], areAround: false };
  return country === undefined ? countriesFrom(session, near) : { first: [country], others: [], areAround: true };
}

interface ElsewhereQuery extends WordsQuery {
  readonly address: AddressText | undefined;
  readonly isEnough: (found: readonly Scored[]) => boolean;
}

async function foundElsewhere(session: Session, query: ElsewhereQuery): Promise<readonly Scored[]> {
  const { words, countries, near, address, isTyped = false, isEnough } = query;
  const search = async (country: string): Promise<readonly Scored[]> => {
    const texts = [words, ...writtenOut(words)];
    const areUnnamed = address?.words.some(isBlock) ?? false;
    const all = { country, near, named: [], isWhole: false, areUnnamed };
    const [addresses, ...others] = await Promise.all([
      address ? addressesIn(session, { ...all, words: address.words }, address) : [],
      ...texts.map((text) => foundIn(session, { country, words: text, near }, query)),
    ]);
    return [...addresses, ...others.flat()];
  };
  return searchCountries({
    countries,
    mostBytes: isTyped ? TYPED_ELSEWHERE_BYTES : ELSEWHERE_BYTES,
    bytesSpent: session.usedBytes,
    search: (country) => ifAvailable(session, query, search(country)),
    isEnough,
  });
}

/** Whether `most` results use all words of the text, or one names the country. */
function isEnough(found: readonly Scored[], most: number): boolean {
  const whole = found.filter(({ suggestion: { unused = [] } }) => unused.length === 0);
  const isSure = ({ suggestion: { kind, within } }: Scored) => kind === "address" || within !== undefined;
  return whole.length >= most || whole.some(isSure);
}

function onlyOnce(found: readonly Scored[]): Scored[] {
  return firstOfEach(found, ({ id }) => id);
}

/** Replaces the unused words by those of the text, if other words were searched instead. */
function asTyped(
  found: readonly Scored[],
  { whole, words }: { readonly whole: readonly string[]; readonly words: readonly string[] },
): Scored[] {
  const replaced = words.filter((word) => !whole.includes(word));
  return found.map(({ suggestion, score }) => {
    const { unused = [] } = suggestion;
    const isReplaced = unused.some((word) => !words.includes(word));
    const own = words.filter((word) => unused.includes(word) || (isReplaced && replaced.includes(word)));
    return { suggestion: { ...suggestion, unused: own }, score };
  });
}

interface WordsQuery extends Omit<SuggestQuery, "text"> {
  readonly words: readonly string[];
  readonly countries: readonly string[];
  /** Words before a comma: those after it are the location. */
  readonly before: readonly string[];
  readonly arePartial?: boolean;
}

/** Matches of the words as they are. */
async function foundBy(session: Session, query: WordsQuery): Promise<Scored[]> {
  const { words, countries, near, language } = query;
  const hasDivisions = session.manifest.collections.division?.runs.suggest !== undefined;
  const around = countries.map((country): Scope => ({ country, words, near }));
  const isNamed = isLong(words) && words.length > 1 && hasDivisions;
  const inNamed = async (): Promise<Scored[]> => {
    return inDivisions(session, await scopesNamed(session, { words, near, language }), query);
  };
  const [divisions, local, named] = await Promise.all([
    hasDivisions ? suggestDivisions(session, { words, language }) : [],
    Promise.all(
      around.map((scope) => {
        const inScope = foundIn(session, scope, query);
        return query.country === undefined ? ifAvailable(session, query, inScope) : inScope;
      }),
    ),
    isNamed ? ifAvailable(session, query, inNamed()) : [],
  ]);
  const anywhere = divisions.map((found) => ({ suggestion: found.division, score: divisionScore(found, near) }));
  return byScore({ divisions: anywhere, others: [...named, ...local.flat()], isNear: near !== undefined });
}

async function inDivisions(session: Session, scopes: readonly NamedScope[], query: WordsQuery): Promise<Scored[]> {
  const found = await Promise.all(
    scopes
      .filter(({ within }) => within === undefined)
      .flatMap((scope) => [
        foundIn(session, scope, withoutIntents(scope, query)),
        divisionsIn(session, scope, query.language),
      ]),
  );
  return [...scopes.map((scope) => divisionOf(scope, query)), ...found.flat()];
}

/**
 * Words such as *need* are the start of a town's name only by chance, and so is *tyre* in *flat tyre*: the rest of the
 * text is then no intent.
 */
function withoutIntents({ named }: NamedScope, query: WordsQuery): WordsQuery {
  const { intents, words } = query;
  const isChance = (found: Intents) =>
    named.every((word) => found.isStop(word)) || found.find(words).some(({ unused }) => unused.length === 0);
  return intents && isChance(intents) ? { ...query, intents: undefined } : query;
}

/** Results around the place named by the words after *near*. */
async function foundNear(session: Session, query: WordsQuery): Promise<Scored[]> {
  const at = query.words.findIndex((word, index) => index > 0 && NEAR.has(word));
  const [wanted, named] = [query.words.slice(0, at), query.words.slice(at + 1)];
  if (at < 0 || named.length === 0) return [];
  const anchors = await foundBy(session, { ...query, words: named, before: [], limit: FEW, categories: false });
  const [anchor] = anchors;
  if (!anchor) return [];
  const { name, country, lon, lat, unused = [] } = anchor.suggestion;
  const countries = [...new Set([country, ...query.countries])];
  const found = await Promise.all(
    countries.map((each) => foundIn(session, { country: each, words: wanted, near: { lon, lat } }, query)),
  );
  return found
    .flat()
    .map(({ suggestion, score }) => ({ suggestion: { ...suggestion, within: name, unused }, score }))
    .sort((a, b) => b.score - a.score);
}

/** The division that some words name, without evidence that the other words belong to it. */
function divisionOf({ division, population, named, within, words }: NamedScope, { before, near }: WordsQuery): Scored {
  if (within !== undefined) {
    const suggestion = within === "" ? division : { ...division, within: within };
    return { suggestion, score: divisionScore({ division: suggestion, population }, undefined) };
  }
  const isMeant = before.join(" ") === named.join(" ");
  const suggestion = { ...division, match: "part" as const, unused: words };
  const score = divisionScore({ division: isMeant ? division : suggestion, population }, isMeant ? undefined : near);
  return { suggestion, score: isMeant ? score + WITHIN : score };
}

/** Divisions inside the named one. */
async function divisionsIn(session: Session, { words, division }: Scope, language: string | undefined) {
  if (!division) return [];
  const isWanted = (each: Meaning): boolean =>
    each.id !== division.id &&
    each.country === division.country &&
    (division.kind === "country" || isWithin(division, each));
  const found = await suggestDivisions(session, { words, language, isWanted });
  return found.map((each): Scored => {
    const suggestion = { ...each.division, within: division.name };
    return { suggestion, score: divisionScore({ ...each, division: suggestion }, undefined) };
  });
}

/** Places, streets and categories of a country. */
async function foundIn(session: Session, scope: Scope, query: WordsQuery): Promise<Scored[]> {
  const { near } = scope;
  const { language, limit, isTyped, placeTerms, intents, arePartial } = query;
  const wantedKinds = [
    { kind: "street" } as const,
    ...placeCollections(session).map((collection) => ({ kind: "place", collection }) as const),
  ].map((each) => ({ ...scope, ...each, language, limit, isTyped, placeTerms }));
  const [categories] = await Promise.all([
    ifAvailable(session, query, categoriesOf(session, scope.country, query.categoryWords)),
    ...wantedKinds.map((each) => readListsAhead(session, each)),
  ]);
  const [streets = [], ...found] = await Promise.all(
    wantedKinds.map((each) => suggestLocal(session, { ...each, categories })),
  );
  const places = found.flat();
  const point = near ?? places[0]?.suggestion;
  const wanted = query.categories && point ? suggestCategories(categories, scope, { point, intents, arePartial }) : [];
  // equal categories stay in their order
  const ranked = wanted.map((suggestion, rank) => ({
    suggestion,
    score: localScore({ suggestion, confidence: 1 }, scope) - rank * CATEGORY_ORDER,
  }));
  const others = [...places, ...streets].map((found) => ({
    suggestion: found.suggestion,
    score: localScore(found, scope),
  }));
  return [...ranked, ...others];
}

/** Matches of similar words. Looks up as many corrections as the limit on bytes allows. */
async function misspelt(session: Session, query: WordsQuery): Promise<Scored[]> {
  const found: Scored[] = [];
  const before = session.usedBytes();
  const meant = await corrections(session, query);
  let highestCost = 0;
  for (const { words, edits } of meant) {
    const spent = session.usedBytes() - before;
    if (spent + highestCost > MISSPELT_BYTES) break;
    const close = asTyped(await foundBy(session, { ...query, words, limit: FEW }), {
      whole: words,
      words: query.words,
    });
    for (const { suggestion, score } of close) {
      found.push({ suggestion: { ...suggestion, match: "misspelt" }, score: score - CHANGED * edits });
    }
    highestCost = Math.max(highestCost, session.usedBytes() - before - spent);
  }
  return onlyOnce(found.sort((a, b) => b.score - a.score));
}

function isLong(words: readonly string[]): boolean {
  return words.join("").length >= LOCAL_LETTERS || words.flatMap(wordsOf).some(({ isUnspaced }) => isUnspaced);
}
