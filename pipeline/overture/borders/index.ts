/** Coarse outlines of all countries. @module */
import { borders } from "@rapideditor/country-coder";
import type { Geometry } from "../../../data/format/geometry.ts";

export interface CountryOutline {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly geometry: Geometry;
}

type Border = (typeof borders)["features"][number];

/**
 * Returns the borders of `@rapideditor/country-coder`, which are coarse and include territorial waters. A territory
 * without its own ISO code has the code of its country, so several may have the same code.
 */
export function packageOutlines(): CountryOutline[] {
  const codes = new Map(borders.features.map((border) => [border.properties.id, officialCode(border)]));
  return borders.features.flatMap((border) => {
    const { id, groups } = border.properties;
    const code = [id, ...groups].map((member) => codes.get(member)).find((found) => found !== undefined);
    // Borders without a shape are sums of others.
    return code === undefined || !border.geometry ? [] : [{ code, geometry: border.geometry as Geometry }];
  });
}

/** Returns the ISO code of a border. Undefined without one, and for codes of postal use, such as AC for Ascension. */
function officialCode({ properties }: Border): string | undefined {
  return properties.isoStatus === "excRes" ? undefined : properties.iso1A2;
}
