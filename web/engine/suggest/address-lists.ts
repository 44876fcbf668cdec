/**
 * Addresses by the lists of the term run, which has each word of an address, its number among them: where those lists are short, as they are in all but
 * the largest countries, they tell which rows have a street and a number.
 * @module
 */
import type { Postings } from "../../../data/format/postings.ts";
import type { Session } from "../store/session.ts";
import { canAskTerms } from "../terms/conditions.ts";
import { baseOf, intersected, numbersOfPlaces, type RowNumbers, unreadBytes } from "../terms/posting-lists.ts";
import { placeOf, placeOfNames, type TermPlace, type TermRun } from "../terms/term-index.ts";
import { type AddressText, houseValue } from "./address-words.ts";
import type { Scope } from "./scope.ts";
import { isKind, otherForms } from "./street-words.ts";

/** Lists that are not in memory are read up to so many bytes. */
const LIST_BYTES = 64 * 1024;

/** Of a number that is not there so many rows next to it are told. */
const NEAR_ROWS = 8;

/** Shorter words are asked for as they are: too many begin so. */
const BEGINNING_LETTERS = 3;

const NAME = "name:";

export interface AddressLists {
  /** How many numbers the text may mean. */
  readonly numbers: number;
  /**
   * Rows that have the street's words and the number at this place, the likeliest number being the first; of more than `most` those that have the text's
   * other numbers too, where any has.
   */
  exact(place: number, most: number): Promise<RowNumbers>;
  /** Rows of the street with a number at most so far from the likeliest, the nearest first, as far as the slices that have that one tell. */
  near(mostAway: number): Promise<RowNumbers>;
}

export interface ListedStreet extends Pick<Scope, "country"> {
  readonly text: AddressText;
  /** Words of the street's name. */
  readonly name: readonly string[];
}

/** The lists of a street; undefined where they cannot be asked, or are too long. */
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
  const exactly = (word: string) => placeOf(run, { first: NAME + word, last: NAME + word });
  const begun = (word: string) => (word.length < BEGINNING_LETTERS ? exactly(word) : placeOfNames(run, word));
  const [ofWords, ofNumbers] = await Promise.all([
    Promise.all(words.map((word) => Promise.all([begun(word), ...otherForms(word).map(exactly)]))),
    Promise.all(termsOfNumbers(text).map((terms) => Promise.all(terms.map(exactly)))),
  ]);
  const [likeliest = []] = ofNumbers;
  if (unreadBytes(run, [...ofWords, likeliest].flat()) > LIST_BYTES) return undefined;
  const listOf = async (places: readonly TermPlace[]): Promise<RowNumbers> =>
    unreadBytes(run, places) > LIST_BYTES ? new Float64Array() : numbersOfPlaces(run, places);
  const street = intersected(await Promise.all(ofWords.map(listOf)));
  return {
    numbers: ofNumbers.length,
    async exact(place, most) {
      let rows = intersected([street, await listOf(ofNumbers[place] ?? [])]);
      for (const other of ofNumbers) {
        if (rows.length <= most) break;
        const both = intersected([rows, await listOf(other)]);
        if (both.length > 0) rows = both;
      }
      return rows;
    },
    async near(mostAway) {
      const nodes = new Set(likeliest.flatMap(({ partitions }) => partitions));
      const slices = await Promise.all(
        [...nodes].map((node) => session.readPostings({ collection: "address", run: "term", node })),
      );
      const wanted = houseValue(text.readings[0]?.number ?? "");
      return nearNumbers(slices, { base: baseOf(run), street, wanted, mostAway });
    },
  };
}

/** How each number of the text may stand in a row: `12bis` as one word or as two, of which the first tells. */
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
    postings.terms.flatMap((term, place) => {
      const away = /^name:\d+$/.test(term) ? Math.abs(Number(term.slice(NAME.length)) - wanted) : Number.NaN;
      return away <= mostAway ? [{ postings, place, away }] : [];
    }),
  );
  const rows = new Set<number>();
  for (const { postings, place } of near.sort((a, b) => a.away - b.away)) {
    const all = postings.numbersAt(place).map((number) => number + base);
    for (const row of intersected([all, street])) if (rows.size < NEAR_ROWS) rows.add(row);
  }
  return Float64Array.from(rows);
}
