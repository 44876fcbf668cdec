/**
 * Finds addresses by posting lists of the term run, which contains each word of an address including its number.
 * Where these lists are short, as in all but the largest countries, they identify the rows with a street and a
 * number.
 * @module
 */
import type { Postings } from "../../../data/format/postings.ts";
import type { Session } from "../store/session.ts";
import { canAskTerms } from "../terms/conditions.ts";
import { baseOf, intersected, numbersInRanges, type RowNumbers } from "../terms/posting-lists.ts";
import {
  bytesOf,
  type PostingRange,
  partitionsOf,
  postingRange,
  prefixRange,
  type TermRun,
} from "../terms/term-index.ts";
import { type AddressText, houseValue } from "./address-words.ts";
import type { Scope } from "./scope.ts";
import { isKind, otherForms } from "./street-words.ts";

/** Limit on the bytes of lists. */
const LIST_BYTES = 64 * 1024;

/** Number of nearby rows returned if the house number does not exist. */
const NEAR_ROWS = 8;

/** Shorter words are looked up whole: they are a prefix of too many. */
const PREFIX_LETTERS = 3;

const NAME = "name:";

export interface AddressLists {
  /** Number of different house numbers that the text may contain. */
  readonly numbers: number;
  /**
   * Returns the rows that have the words of the street and the number at this index; the most likely number has index 0. If there
   * are more than `most`, keeps those that also have other numbers of the text, if any has.
   */
  exact(index: number, most: number): Promise<RowNumbers>;
  /**
   * Returns rows of the street whose number differs from the most likely one by at most `mostAway`, nearest number first. Only
   * rows in the slices that contain that number are found.
   */
  near(mostAway: number): Promise<RowNumbers>;
}

export interface ListedStreet extends Pick<Scope, "country"> {
  readonly text: AddressText;
  readonly name: readonly string[];
}

/** Returns the lists of a street; undefined when they cannot be read, or are too long. */
export async function listAddresses(
  session: Session,
  { country, text, name }: ListedStreet,
): Promise<AddressLists | undefined> {
  const run: TermRun = { session, collection: "address", run: "term", country };
  const telling = name.filter((word) => !isKind(word));
  const words = telling.length > 0 ? telling : name;
  if (!canAskTerms(session.manifest, "address", country, { terms: words.map((word) => [NAME + word]) })) {
    return undefined;
  }
  const exactly = (word: string) => postingRange(run, { first: NAME + word, last: NAME + word });
  const begun = (word: string) => (word.length < PREFIX_LETTERS ? exactly(word) : prefixRange(run, word));
  const [ofWords, ofNumbers] = await Promise.all([
    Promise.all(words.map((word) => Promise.all([begun(word), ...otherForms(word).map(exactly)]))),
    Promise.all(termsOfNumbers(text).map((terms) => Promise.all(terms.map(exactly)))),
  ]);
  const [likeliest = []] = ofNumbers;
  if (bytesOf(partitionsOf([...ofWords, likeliest].flat())) > LIST_BYTES) return undefined;
  const listOf = async (ranges: readonly PostingRange[]): Promise<RowNumbers> =>
    bytesOf(partitionsOf(ranges)) > LIST_BYTES ? new Float64Array() : numbersInRanges(run, ranges);
  const street = intersected(await Promise.all(ofWords.map(listOf)));
  return {
    numbers: ofNumbers.length,
    async exact(index, most) {
      let rows = intersected([street, await listOf(ofNumbers[index] ?? [])]);
      for (const other of ofNumbers) {
        if (rows.length <= most) break;
        const both = intersected([rows, await listOf(other)]);
        if (both.length > 0) rows = both;
      }
      return rows;
    },
    async near(mostAway) {
      const nodes = new Set(partitionsOf(likeliest));
      const slices = await Promise.all(
        [...nodes].map((node) => session.readPostings({ collection: "address", run: "term", node })),
      );
      const wanted = houseValue(text.readings[0]?.number ?? "");
      return nearNumbers(slices, { base: baseOf(run), street, wanted, mostAway });
    },
  };
}

/** The forms of each number in a row: `12bis` as one word or as two, of which the first is looked up. */
function termsOfNumbers({ readings, numbers }: AddressText): string[][] {
  const terms = new Map<number, Set<string>>();
  for (const number of [...readings.map((reading) => reading.number), ...numbers]) {
    const value = houseValue(number);
    const known = terms.get(value) ?? new Set([String(value)]);
    terms.set(value, known.add(number));
  }
  return [...terms.values()].map((some) => [...some].filter((term) => !term.includes("-")));
}

interface WantedNumber {
  readonly base: number;
  readonly street: RowNumbers;
  readonly wanted: number;
  readonly mostAway: number;
}

function nearNumbers(slices: readonly Postings[], { base, street, wanted, mostAway }: WantedNumber): RowNumbers {
  const near = [...new Set(slices)].flatMap((postings) =>
    postings.terms.flatMap((term, ordinal) => {
      const away = /^name:\d+$/.test(term) ? Math.abs(Number(term.slice(NAME.length)) - wanted) : Number.NaN;
      return away <= mostAway ? [{ postings, ordinal, away }] : [];
    }),
  );
  const rows = new Set<number>();
  for (const { postings, ordinal } of near.sort((a, b) => a.away - b.away)) {
    const all = postings.numbersAt(ordinal).map((number) => number + base);
    for (const row of intersected([all, street])) if (rows.size < NEAR_ROWS) rows.add(row);
  }
  return Float64Array.from(rows);
}
