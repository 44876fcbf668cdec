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
 * Returns borders of `@rapideditor/country-coder`: coarse, with territorial waters. Each has its own code or its
 * country's. Several may have the same code.
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

/** Codes for postal use, such as AC for Ascension, are not country codes. */
function officialCode({ properties }: Border): string | undefined {
  return properties.isoStatus === "excRes" ? undefined : properties.iso1A2;
}
