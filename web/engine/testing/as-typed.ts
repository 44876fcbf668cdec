/**
 * Simulates typed texts: misspelt words, and addresses in other forms and orders.
 * @module
 */
import { foldText } from "../../../data/format/fold.ts";
import type { Random } from "./random.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Returns the word with one random letter deleted, inserted, changed or swapped with the next. */
export function misspell(word: string, random: Random): string {
  for (;;) {
    const at = random.below(word.length);
    const letter = random.of([...LETTERS]);
    const own = word[at] ?? "";
    const changed = random.of([
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + letter + word.slice(at),
      word.slice(0, at) + letter + word.slice(at + 1),
      word.slice(0, at) + (word[at + 1] ?? "") + own + word.slice(at + 2),
    ]);
    if (changed !== word) return changed;
  }
}

/** Missing values are empty. */
export interface TypedAddress {
  readonly street: string;
  readonly number: string;
  readonly postcode: string;
  readonly town: string;
}

const FORMS = [
  ["ST", "Street", "st."],
  ["AVE", "Avenue", "av"],
  ["BLVD", "Boulevard", "Blvd."],
  ["DR", "Drive", "dr"],
  ["CT", "Court"],
  ["PL", "Place"],
  ["RD", "Road"],
  ["LN", "Lane"],
  ["CIR", "Circle"],
  ["Boulevard", "bd", "Blvd"],
  ["Avenue", "av.", "ave"],
  ["Place", "pl."],
  ["Rue", "r.", "rue"],
] as const;

/** Returns the address with other forms of its words, in another order, with a town, a postcode, both or neither. */
export function rewritten({ street, number, postcode, town }: TypedAddress, random: Random): string {
  const words = street.split(" ").map((word) => {
    const forms = FORMS.find(([form]) => form === word) ?? [word];
    return random.of<string>(forms);
  });
  const name = random.below(2) === 0 ? foldText(words.join(" ")) : words.join(" ");
  const comma = random.below(2) === 0 ? ", " : " ";
  const own = random.below(3) === 0 ? `${name}${comma}${number}` : `${number} ${name}`;
  const after = [town, `${town}${comma}${postcode}`, postcode].map((text) => `${own}${comma}${text}`);
  return random.of([own, own, `${town}${comma}${own}`, `${postcode} ${own}`, ...after]).trim();
}
