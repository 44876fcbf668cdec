/**
 * Finds the addresses that a text can mean: in divisions that some of its words name, and in countries.
 * @module
 */
import type { Session } from "../store/session.ts";
import type { AddressText } from "./address-words.ts";
import { ifAvailable, type MayBeIncomplete } from "./if-available.ts";
import { type Point, type Scope, scopesNamed } from "./scope.ts";
import { addressScore, localScore } from "./score.ts";
import { type AddressQuery, suggestAddresses } from "./suggest-addresses.ts";
import { suggestLocal } from "./suggest-local.ts";
import { isExact, type Meaning, type Scored } from "./suggestion.ts";

export interface AddressesQuery extends MayBeIncomplete {
  readonly countries: readonly string[];
  readonly near?: Point | undefined;
  readonly language?: string | undefined;
  /** Whether also streets are looked for that no segment names. */
  readonly areUnnamed?: boolean;
}

/** Returns possible addresses around the position, and in divisions that some words of the text name. */
export async function addressesOf(session: Session, text: AddressText, query: AddressesQuery): Promise<Scored[]> {
  const { countries, near, language, areUnnamed = false } = query;
  const { words } = text;
  const hasDivisions = session.manifest.collections.division?.runs.suggest !== undefined;
  const scopes =
    hasDivisions && words.length > 1
      ? await ifAvailable(session, query, scopesNamed(session, { words, near, language }))
      : [];
  const named = scopes.filter(({ within }) => within === undefined);
  // a town may follow a street in a country
  const inNamed = named.map((scope) => ({ ...scope, isWhole: scope.division.kind !== "country" }));
  const around = countries.map((country) => ({ country, words, near, named: [], isWhole: false }));
  const best = new Map<string, Scored>();
  for (const scopes of [inNamed, around]) {
    for (const scope of scopes) {
      const found = addressesIn(session, { ...scope, areUnnamed }, text, near);
      for (const scored of await ifAvailable(session, query, found)) {
        if (scored.score > (best.get(scored.suggestion.id)?.score ?? 0)) best.set(scored.suggestion.id, scored);
      }
    }
    // a match in the named place is the intended one
    if ([...best.values()].some(isExact)) break;
  }
  const all = [...best.values()];
  if (all.length === 0 && areUnnamed) return [];
  if (all.length === 0) return streetsOf(session, { text, scopes: [...named, ...around] }, query);
  return all.some(isExact) ? all.filter(isExact) : all;
}

/** Returns addresses of the text in a country, or in a division of it. */
export async function addressesIn(
  session: Session,
  scope: Omit<AddressQuery, "text">,
  text: AddressText,
  near: Point | undefined = scope.near,
): Promise<Scored[]> {
  const found = await suggestAddresses(session, { ...scope, text });
  return found.map((one) => ({ suggestion: one.suggestion, score: addressScore(one, near) }));
}

/** Where no address is found, the street named by the words without the number. */
async function streetsOf(
  session: Session,
  { text, scopes }: { readonly text: AddressText; readonly scopes: readonly Scope[] },
  query: Pick<AddressesQuery, "language" | "onMissing">,
): Promise<Scored[]> {
  const { language } = query;
  const found = await Promise.all(
    scopes.map(async (scope) => {
      const street = { ...scope, language, limit: 1, kind: "street", categories: [] } as const;
      const streets = await ifAvailable(session, query, suggestLocal(session, street));
      return streets.map((one) => {
        const suggestion: Meaning = { ...one.suggestion, match: "part", unused: text.numbers };
        return { suggestion, score: localScore({ ...one, suggestion }, scope) };
      });
    }),
  );
  return found.flat();
}
