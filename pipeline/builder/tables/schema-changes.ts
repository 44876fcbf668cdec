import { writtenName } from "../../../data/format/own-collections.ts";
import type { OwnSchema } from "../../../data/format/own-schema.ts";

/** A line for each column that is new, missing or of another type. Empty for a new collection. */
export function changesOf(before: OwnSchema | undefined, now: OwnSchema): string[] {
  if (!before) return [];
  const typesBefore = new Map(before.columns.map(({ name, type }) => [name, type]));
  const typesNow = new Map(now.columns.map(({ name, type }) => [name, type]));
  const missing = before.columns.filter(({ name }) => !typesNow.has(name));
  return [
    ...now.columns.flatMap(({ name, type }) => {
      const was = typesBefore.get(name);
      if (was === undefined) return [`new column: ${writtenName(name)} (${type})`];
      return was === type ? [] : [`column of another type: ${writtenName(name)} is ${type}, was ${was}`];
    }),
    ...missing.map(({ name, type }) => `missing column: ${writtenName(name)} (${type})`),
  ];
}
