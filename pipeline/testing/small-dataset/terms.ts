import { compareIds } from "../../../data/format/ids.ts";
import type { TermPostings } from "../../../data/format/postings.ts";
import { endTermsOf, prefixTerm, storedTerms, type TermColumns } from "../../../data/format/terms.ts";
import type { SmallRow } from "./features.ts";

/** Small, so that terms are split and prefixes are stored. */
const SLICE_ROWS = 30;
const TERM_ROWS = 10;
export const SMALL_PREFIX_ROWS = TERM_ROWS;

type Numbers = Map<string, Set<number>>;

/** Returns the terms of rows with their numbers, in order; `worldwide` returns names and their word ends only. */
export function collectTerms(
  rows: readonly SmallRow[],
  numberOf: (row: SmallRow) => number,
  worldwide?: { readonly byEnds: boolean },
): TermPostings[] {
  const terms: Numbers = new Map();
  for (const row of rows) {
    const own = storedTerms(row.columns as TermColumns).filter((term) => !worldwide || term.startsWith("name:"));
    for (const term of worldwide?.byEnds ? [...own, ...endTermsOf(own)] : own) {
      terms.set(term, (terms.get(term) ?? new Set()).add(numberOf(row)));
    }
  }
  for (const [prefix, numbers] of storedPrefixes(terms)) terms.set(prefixTerm(prefix), numbers);
  return [...terms]
    .sort(([a], [b]) => compareIds(a, b))
    .map(([term, numbers]) => ({ term, numbers: [...numbers].sort((a, b) => a - b) }));
}

/** Prefixes with many rows, and their own prefixes, unless another term has the same rows. */
function storedPrefixes(terms: Numbers): Numbers {
  const names = [...terms].flatMap(([term, numbers]) =>
    term.startsWith("name:") ? [{ name: term.slice("name:".length), numbers }] : [],
  );
  const hot: Numbers = new Map();
  const prefixes = new Set(
    names.flatMap(({ name }) =>
      Array.from(name, (_, i) =>
        Array.from(name)
          .slice(0, i + 1)
          .join(""),
      ),
    ),
  );
  for (const prefix of prefixes) {
    const having = names.filter(({ name }) => name.startsWith(prefix));
    const numbers = new Set(having.flatMap((each) => [...each.numbers]));
    if (having.length > 1 && numbers.size > TERM_ROWS) hot.set(prefix, numbers);
  }
  const longerThan = (prefix: string): string | undefined =>
    [...hot.keys()]
      .filter((other) => other.startsWith(prefix) && Array.from(other).length === Array.from(prefix).length + 1)
      .sort(compareIds)[0];
  return new Map(
    [...hot].filter(([prefix, numbers]) => {
      const longer = longerThan(prefix);
      return longer === undefined || hot.get(longer)?.size !== numbers.size;
    }),
  );
}

/** A term with many rows has its own slices. */
export function cutTerms(terms: readonly TermPostings[]): TermPostings[][] {
  const slices: TermPostings[][] = [];
  let freeRows = 0;
  for (const posting of terms) {
    const numbers = Array.from(posting.numbers);
    if (numbers.length > TERM_ROWS) {
      for (let start = 0; start < numbers.length; start += TERM_ROWS) {
        slices.push([{ term: posting.term, numbers: numbers.slice(start, start + TERM_ROWS) }]);
      }
      freeRows = 0;
      continue;
    }
    const last = slices.at(-1);
    if (last && numbers.length <= freeRows) last.push(posting);
    else slices.push([posting]);
    freeRows = (last && numbers.length <= freeRows ? freeRows : SLICE_ROWS) - numbers.length;
  }
  return slices;
}
