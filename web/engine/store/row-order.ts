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

/** Compares rows by distance, if they have one, then by id, then by the order of their collections. */
export function sortRows(refs: readonly RowRef[], collections: readonly CollectionName[]): RowRef[] {
  const keyed = refs.map((ref) => ({
    ref,
    distanceMeters: ref.distanceMeters ?? 0,
    id: ref.rows.id(ref.row),
    place: collections.indexOf(ref.rows.collection),
  }));
  return keyed
    .sort((a, b) => a.distanceMeters - b.distanceMeters || compareIds(a.id, b.id) || a.place - b.place)
    .map(({ ref }) => ref);
}

/** Sorts the rows. Rows with equal values keep their order. Rows without a value come last. */
export function orderRows(refs: readonly RowRef[], order: Order): Promise<readonly RowRef[]> {
  return inTurn(() => {
    const keyed = refs.map(order.by === "name" ? nameReader(order.languages) : confidenceReader());
    const { compare: collate } = new Intl.Collator([...(order.by === "name" ? order.languages : [])], {
      numeric: true,
    });
    return keyed
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
