/** Example searches that have results in a dataset, from its manifest. @module */
import { focusOf } from "../../data/format/focus.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import { collectionsOf, searchPathsOf } from "./paths.ts";

export interface Example {
  /** A search path, such as `/places`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Returns a search of the first path that has rows: a circle where they are dense, otherwise the country with the most rows.
 * Undefined for a dataset without rows.
 */
export function exampleSearch({ collections }: Pick<Manifest, "collections">): Example | undefined {
  for (const served of searchPathsOf({ collections })) {
    // those searched without `types` first
    const names = new Set([...served.collections, ...collectionsOf(served)]);
    for (const name of names) {
      const collection = collections[name];
      if (!collection || collection.rows === 0) continue;
      const types: Record<string, string> = served.collections.includes(name) ? {} : { types: name };
      const focus = focusOf(collection);
      if (focus) {
        const { lat, lon, radiusMeters } = focus;
        const circle = { lat: String(lat), lng: String(lon), radius: String(radiusMeters) };
        return { path: served.path, parameters: { ...circle, ...types } };
      }
      const [most] = Object.entries(collection.countries).sort(([, a], [, b]) => b - a);
      if (most) return { path: served.path, parameters: { country: most[0], limit: "5", ...types } };
    }
  }
  return undefined;
}
