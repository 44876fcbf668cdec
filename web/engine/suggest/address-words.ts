/**
 * A typed text as an address: which of its words may be the house number, and whether the others are those of a row.
 * @module
 */
import { foldText, wordsOf } from "../../../data/format/fold.ts";
import { isKind, isSmall, isUnitWord, wholeWords } from "./street-words.ts";

/** One way to read the text. */
export interface AddressReading {
  /** House number as `normalNumber` gives it. */
  readonly number: string;
  /** The words that are the number. */
  readonly numberWords: readonly string[];
  /** The other words, folded, in order. */
  readonly rest: readonly string[];
}

export interface AddressText {
  /** The likeliest first. */
  readonly readings: readonly AddressReading[];
  /** Words that may name the street or where it lies: none is a number. */
  readonly words: readonly string[];
  /** The words of the text that have a digit and are in no street's name. */
  readonly numbers: readonly string[];
}

/** A row of the address collection, as far as it is compared. */
export interface AddressRow {
  readonly street: string;
  readonly number: string;
  readonly unit: string;
  readonly postcode: string;
  /** Towns and levels that it lies in. */
  readonly places: readonly string[];
}

const SUFFIXES = new Set(["bis", "ter", "quater", "quinquies"]);

/** `28th`, `1er`, `3eme`: these are in the names of streets. */
const ORDINAL = /^\d+(st|nd|rd|th|er|ere|eme)$/;

/** Longer ones are postcodes, unless nothing else is there. */
const NUMBER_DIGITS = 5;

const hasDigit = (word: string): boolean => /\p{N}/u.test(word);
const isOrdinal = (word: string): boolean => ORDINAL.test(word);

/** The text as an address; undefined where no word may be a house number, or none is left for the street. */
export function addressTextOf(text: string): AddressText | undefined {
  const tokens = wordsOf(text).map((word) => word.text);
  const words = tokens.filter((word, index) => !hasDigit(word) && !isUnitWord(word) && !isSuffix(tokens, index));
  const ordinals = tokens.filter(isOrdinal);
  if ([...words, ...ordinals].join("").length < 3) return undefined;
  const readings = tokens.flatMap((token, start) => (startsNumber(token) ? readingsAt(tokens, start) : []));
  if (readings.length === 0) return undefined;
  const order = (reading: AddressReading) => (reading.number.length >= NUMBER_DIGITS && readings.length > 1 ? 1 : 0);
  return {
    readings: readings.toSorted((a, b) => order(a) - order(b)),
    words: tokens.filter((word) => words.includes(word) || ordinals.includes(word)),
    numbers: tokens.filter((word) => hasDigit(word) && !ordinals.includes(word)),
  };
}

function startsNumber(word: string): boolean {
  return /^\d/.test(word) && !isOrdinal(word);
}

function isSuffix(tokens: readonly string[], index: number): boolean {
  return SUFFIXES.has(tokens[index] ?? "") && startsNumber(tokens[index - 1] ?? "");
}

/** The number may go on: `12 bis`, `12 b`, `5-7`, `928 1/2`. */
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

/** Words of a number as one: `12 bis` and `12bis` are the same, `5-7` is not `57`. */
function joined(words: readonly string[]): string {
  return words.reduce((number, word) => number + (/\d$/.test(number) && /^\d/.test(word) ? "-" : "") + word, "");
}

/** A house number as numbers are compared. */
export function normalNumber(number: string): string {
  return joined(wordsOf(number).map((word) => word.text));
}

/** The number itself, and those it stands for: `5-7` is also the house 5 and the house 7. */
export function numbersOf(number: string): readonly string[] {
  return [normalNumber(number), ...number.split(/[-–;,&]/).map(normalNumber)];
}

/** Its digits: what makes neighbours of houses. */
export function houseValue(number: string): number {
  return Number.parseInt(/\d+/.exec(number)?.[0] ?? "", 10);
}

/** How well a row fits. */
export interface AddressFit {
  /** The name of its street: 1 where the words are all of it. */
  readonly name: number;
  /** What is to be taken away for words that tell of another place or unit. */
  readonly others: number;
  /** The words that are none of the row's: another postcode or unit, another kind of street. */
  readonly unused: readonly string[];
}

/** How well the row has the words; undefined where its street is another, or a word is none of the row's. */
export function addressFit(row: AddressRow, rest: readonly string[], named: readonly string[]): AddressFit | undefined {
  const street = wordsOf(row.street).map((word) => word.text);
  const places = [...row.places, row.postcode, row.unit].flatMap((text) => wordsOf(text).map((word) => word.text));
  const found = new Set<string>();
  const unused: string[] = [];
  let [name, others, isNamed] = [1, 0, false];
  for (const [index, word] of rest.entries()) {
    const same = street.filter((own) => isSame(word, own));
    const begun = same.length > 0 ? same : street.filter((own) => begins(word, own));
    for (const own of begun) found.add(own);
    if (begun.some((own) => !isKind(own) && !isSmall(own))) isNamed = true;
    if (begun.length > 0) name -= same.length > 0 ? 0 : BEGINNING;
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
  const own = street.filter((word) => !isKind(word) && !isSmall(word));
  if (own.length === 0 ? found.size < street.length : !isNamed) return undefined;
  const missing = own.filter((word) => !found.has(word)).length / Math.max(1, own.length);
  const kinds = street.filter((word) => isKind(word) && !found.has(word)).length;
  return { name: name - MISSING * missing - LEFT_OUT * kinds, others, unused };
}

/** What is taken away for a word that is only begun, for a name that is left out in part, for another kind of street and one that was left out, for another postcode or unit. */
const BEGINNING = 0.1;
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

/** `PEARL ST` as it is written elsewhere. */
export function shownStreet(street: string): string {
  if (street !== street.toUpperCase() || street === foldText(street)) return street;
  return street.toLowerCase().replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}
