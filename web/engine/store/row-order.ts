/**
 * The order of answers.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { objectOf, textOf } from "../../../data/format/json.ts";
import type { Order } from "../contract/query.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { type RowRef, readerOf } from "./rows.ts";

/** Returns the rows sorted by distance, if they have one, then by id, then by the order of their collections. */
export function sortRows(refs: readonly RowRef[], collections: readonly CollectionName[]): RowRef[] {
  const keyed = refs.map((ref) => ({
    ref,
    distanceMeters: ref.distanceMeters ?? 0,
    id: ref.rows.id(ref.row),
    order: collections.indexOf(ref.rows.collection),
  }));
  return keyed
    .sort((a, b) => a.distanceMeters - b.distanceMeters || compareIds(a.id, b.id) || a.order - b.order)
    .map(({ ref }) => ref);
}

/** Returns the rows in the order. Rows with equal values keep their order. Rows without a value come last. */
export async function orderRows(refs: readonly RowRef[], order: Order): Promise<readonly RowRef[]> {
  switch (order.by) {
    case "name":
      return sorted(refs, nameReader(order.languages), order.languages);
    case "confidence":
      return sorted(refs, confidenceReader());
    case "relevance":
      return sorted(await orderRows(refs, { by: "name", languages: order.languages }), relevanceReader());
  }
}

function sorted(
  refs: readonly RowRef[],
  keyOf: (ref: RowRef) => Keyed,
  languages: readonly string[] = [],
): Promise<readonly RowRef[]> {
  return inTurn(() => {
    const { compare: collate } = new Intl.Collator([...languages], { numeric: true });
    return refs
      .map(keyOf)
      .sort((a, b) => {
        if (a.key === undefined || b.key === undefined)
          return Number(a.key === undefined) - Number(b.key === undefined);
        if (typeof a.key === "number" || typeof b.key === "number") return Number(b.key) - Number(a.key);
        return collate(a.key, b.key);
      })
      .map(({ ref }) => ref);
  });
}

interface Keyed {
  readonly ref: RowRef;
  readonly key: string | number | undefined;
}

function nameReader(languages: readonly string[]): (ref: RowRef) => Keyed {
  const read = readerOf((rows) => rows.column("names", { primary: true, common: true })?.read);
  return (ref) => {
    const names = objectOf(read(ref));
    const common = objectOf(names?.common);
    const key = languages.map((code) => textOf(common?.[code])).find(Boolean) ?? textOf(names?.primary);
    return { ref, key: key || undefined };
  };
}

function confidenceReader(): (ref: RowRef) => Keyed {
  const read = readerOf((rows) => rows.column("confidence")?.read);
  return (ref) => {
    const value = read(ref);
    return { ref, key: typeof value === "number" ? value : undefined };
  };
}

/** Subtypes of divisions, the largest first. */
const DIVISIONS = [
  ...["country", "dependency", "macroregion", "region", "macrocounty", "county", "localadmin", "locality"],
  ...["borough", "macrohood", "neighborhood", "microhood"],
];

function relevanceReader(): (ref: RowRef) => Keyed {
  const subtypeOf = readerOf((rows) => rows.column("subtype")?.read);
  const confidenceOf = confidenceReader();
  return (ref) => {
    const rank = DIVISIONS.indexOf(textOf(subtypeOf(ref)) ?? "");
    return rank < 0 ? confidenceOf(ref) : { ref, key: DIVISIONS.length - rank };
  };
}
