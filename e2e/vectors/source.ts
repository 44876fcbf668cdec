/** The source rows of the test vectors. @module */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Geometry, positionsOf } from "../../data/format/geometry.ts";

export const VECTORS = "data/spec/vectors";
export const SOURCE = join(VECTORS, "source");

export interface SourceRow {
  readonly collection: string;
  readonly id: string;
  readonly country: string;
  readonly geometry: Geometry;
  readonly names: readonly string[];
  readonly categories: readonly string[];
  readonly brand: string | undefined;
  readonly class: string | undefined;
}

interface SourceFeature {
  readonly id: string;
  readonly geometry: Geometry;
  readonly properties: {
    readonly names?: { readonly primary: string; readonly common?: Readonly<Record<string, string>> };
    readonly categories?: { readonly primary: string; readonly alternate?: readonly string[] };
    readonly brand?: { readonly names?: { readonly primary: string } };
    readonly class?: string;
  };
}

/** Reads the rows of both collections. */
export async function readSource(): Promise<readonly SourceRow[]> {
  const rows = ["place", "building"].map(async (collection) => {
    const { features } = JSON.parse(await readFile(join(SOURCE, `${collection}.geojson`), "utf8")) as {
      readonly features: readonly SourceFeature[];
    };
    return features.map(({ id, geometry, properties }): SourceRow => {
      const { names, categories, brand } = properties;
      return {
        collection,
        id,
        country: countryOf(geometry),
        geometry,
        names: names ? [names.primary, ...Object.values(names.common ?? {})] : [],
        categories: categories ? [categories.primary, ...(categories.alternate ?? [])] : [],
        brand: brand?.names?.primary,
        class: properties.class,
      };
    });
  });
  return (await Promise.all(rows)).flat();
}

/** The source has rows in Monaco, in Fiji at the antimeridian, and at the North Pole. */
function countryOf(geometry: Geometry): string {
  const [[lon, lat] = [0, 0]] = positionsOf(geometry);
  if (lat > 89) return "ZZ";
  return Math.abs(lon) > 179 ? "FJ" : "MC";
}
