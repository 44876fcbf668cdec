/**
 * Reads a typed text as an address: which words can be the house number, and whether the others match a row.
 * @module
 */
import { foldText, wordsOf } from "../../../data/format/fold.ts";
import { plainAddressOf } from "./plain-address.ts";
import { isKind, isSmall, isUnitWord, wholeWords } from "./street-words.ts";

/** One way to read a text as an address: which words are the house number. */
export interface AddressReading {
  /** House number after `normalNumber`. */
  readonly number: string;
  readonly numberWords: readonly string[];
  /** The other words, folded, in order. */
  readonly rest: readonly string[];
}

export interface AddressText {
  /** The most likely first. */
  readonly readings: readonly AddressReading[];
  /** Words that can name the street or its location, without numbers. */
  readonly words: readonly string[];
  /** The words of the text with a digit that are not part of a street name. */
  readonly numbers: readonly string[];
  /**
   * The words between the same commas as the likeliest number; if there are none, those of the next part. Empty without commas.
   */
  readonly part: readonly string[];
  /** Folded words of floors and stairs, which no row has. */
  readonly extras: readonly string[];
  /** Folded codes and names of regions after the town. */
  readonly regions: readonly string[];
}

/** A row of the address collection, with the compared values. */
export interface AddressRow {
  readonly street: string;
  readonly number: string;
  readonly unit: string;
  readonly postcode: string;
  /** Towns and levels that contain it. */
  readonly places: readonly string[];
}

const SUFFIXES = new Set(["bis", "ter", "quater", "quinquies"]);

/** `28th`, `1er`, `3eme`, `1º`: parts of street names. */
const ORDINAL = /^\d+(st|nd|rd|th|er|ere|eme|o)$/;

/** Longer ones are postcodes, unless no other word has a digit. */
const NUMBER_DIGITS = 5;

const hasDigit = (word: string): boolean => /\p{N}/u.test(word);
const isOrdinal = (word: string): boolean => ORDINAL.test(word);

/** Returns the text as an address; undefined when no word can be a house number, or no word is left for the street. */
export function addressTextOf(text: string): AddressText | undefined {
  const { text: plain, extras, regions } = plainAddressOf(text);
  const tokens = wordsOf(plain).map((word) => word.text);
  const words = tokens.filter((word, index) => !hasDigit(word) && !isUnitWord(word) && !isSuffix(tokens, index));
  const ordinals = tokens.filter(isOrdinal);
  if ([...words, ...ordinals].join("").length < 3) return undefined;
  const readings = tokens.flatMap((token, start) => (startsNumber(token) ? readingsAt(tokens, start) : []));
  if (readings.length === 0) return undefined;
  const order = ({ number, numberWords: [first = ""] }: AddressReading) => {
    if (isUnitWord(tokens[tokens.indexOf(first) - 1] ?? "")) return 2;
    return number.length >= NUMBER_DIGITS && readings.length > 1 ? 1 : 0;
  };
  const ordered = readings.toSorted((a, b) => order(a) - order(b));
  return {
    readings: ordered,
    part: partWith(plain, ordered[0]?.numberWords[0] ?? ""),
    words: tokens.filter((word) => words.includes(word) || ordinals.includes(word)),
    numbers: tokens.filter((word) => hasDigit(word) && !ordinals.includes(word)),
    extras,
    regions,
  };
}

/** The words without numbers in the part that has the number, or in the one after it. */
function partWith(text: string, number: string): readonly string[] {
  const parts = text.split(",").map((part) => wordsOf(part).map((word) => word.text));
  const at = parts.findIndex((part) => part.includes(number));
  if (parts.length === 1 || at < 0) return [];
  const own = [parts[at] ?? [], parts[at + 1] ?? []].map((part) =>
    part.filter((word) => !hasDigit(word) || isOrdinal(word)),
  );
  return own.find((part) => part.length > 0) ?? [];
}

function startsNumber(word: string): boolean {
  return /^\d/.test(word) && !isOrdinal(word);
}

function isSuffix(tokens: readonly string[], index: number): boolean {
  return SUFFIXES.has(tokens[index] ?? "") && startsNumber(tokens[index - 1] ?? "");
}

/** A number may have several words: `12 bis`, `12 b`, `5-7`, `928 1/2`. */
function readingsAt(tokens: readonly string[], start: number): AddressReading[] {
  const readings: AddressReading[] = [];
  for (let end = start + 1; end <= Math.min(start + 3, tokens.length); end++) {
    const last = tokens[end - 1] ?? "";
    if (end > start + 1 && !startsNumber(last) && !SUFFIXES.has(last) && !/^[a-z]$/.test(last)) break;
    const rest = [...tokens.slice(0, start), ...tokens.slice(end)];
    const numberWords = tokens.slice(start, end);
    readings.push({ number: joined(numberWords), numberWords, rest });
  }
  return readings;
}

/** Joins the words of a number: `12 bis` and `12bis` are the same, `5-7` is not `57`. */
function joined(words: readonly string[]): string {
  return words.reduce((number, word) => number + (/\d$/.test(number) && /^\d/.test(word) ? "-" : "") + word, "");
}

/** Returns a house number in the form used for comparison: folded and without spaces, such as `12bis` for `12 Bis`. */
export function normalNumber(number: string): string {
  return joined(wordsOf(number).map((word) => word.text));
}

/** Returns the number and those it includes: `5-7` also means the houses 5 and 7. */
export function numbersOf(number: string): readonly string[] {
  return [normalNumber(number), ...number.split(/[-–;,&]/).map(normalNumber)];
}

/** Returns the first digits of a house number as a number, to compare with neighbours: 5 for `5-7`. NaN without digits. */
export function houseValue(number: string): number {
  return Number.parseInt(/\d+/.exec(number)?.[0] ?? "", 10);
}

export interface AddressFit {
  /** How well the street name matches: 1 if the words are exactly its words, otherwise less. */
  readonly name: number;
  /** The penalty for words that name another place or unit. */
  readonly others: number;
  /** Words of the text that the row does not contain, such as another postcode, unit or kind of street. */
  readonly unused: readonly string[];
}

/**
 * Returns how well the row matches the words `rest`. Words of `named` name the location and cost nothing. Undefined if the street
 * is a different one, or the row lacks a word.
 */
export function addressFit(row: AddressRow, rest: readonly string[], named: readonly string[]): AddressFit | undefined {
  const street = wordsOf(row.street).map((word) => word.text);
  const own = [...row.places, row.postcode, row.unit].flatMap((text) => wordsOf(text).map((word) => word.text));
  // with or without its space
  const places = [...own, foldText(row.postcode).replaceAll(" ", "")];
  const found = new Set<string>();
  const unused: string[] = [];
  let [name, others, isNamed] = [1, 0, false];
  for (const [index, word] of rest.entries()) {
    const same = street.filter((own) => isSame(word, own));
    const begun = same.length > 0 ? same : street.filter((own) => begins(word, own));
    for (const own of begun) found.add(own);
    if (begun.some((own) => !isKind(own) && !isSmall(own))) isNamed = true;
    if (begun.length > 0) name -= same.length > 0 ? 0 : PREFIX_COST;
    else if (places.some((own) => own.startsWith(word)) || named.includes(word)) continue;
    else if (isUnitWord(rest[index - 1] ?? "") || hasDigit(word)) {
      others += OTHER_PLACE;
      unused.push(word);
    } else if (isSmall(word) || isUnitWord(word)) continue;
    else if (isKind(word)) {
      name -= OTHER_KIND;
      unused.push(word);
    } else return undefined;
  }
  const telling = street.filter((word) => !isKind(word) && !isSmall(word));
  if (telling.length === 0 ? found.size < street.length : !isNamed) return undefined;
  const missing = telling.filter((word) => !found.has(word)).length / Math.max(1, telling.length);
  const kinds = street.filter((word) => isKind(word) && !found.has(word)).length;
  return { name: name - MISSING * missing - LEFT_OUT * kinds, others, unused };
}

/**
 * Penalties: for a word of which only the start is given, for a part of the name that is missing, for another kind of street, for
 * a kind of street that is missing, and for another postcode or unit.
 */
const PREFIX_COST = 0.1;
const MISSING = 0.4;
const OTHER_KIND = 0.3;
const LEFT_OUT = 0.02;
const OTHER_PLACE = 0.2;

function isSame(word: string, own: string): boolean {
  const wholes = wholeWords(own);
  return wholeWords(word).some((whole) => wholes.includes(whole));
}

function begins(word: string, own: string): boolean {
  return word.length > 1 && wholeWords(own).some((whole) => whole.startsWith(word));
}

/** Returns a name in capitals in mixed case, such as `Pearl St` for `PEARL ST`. Returns any other name unchanged. */
export function shownStreet(street: string): string {
  if (street !== street.toUpperCase() || street === foldText(street)) return street;
  return street.toLowerCase().replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}
