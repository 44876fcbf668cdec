/**
 * Borders from `@rapideditor/country-coder`: coarse, with territorial waters, for what the sources lack.
 * @module
 */
import { borders } from "@rapideditor/country-coder";
import type { Geometry } from "../../data/format/geometry.ts";
import type { CountryOutline } from "./outlines.ts";

type Border = (typeof borders)["features"][number];

/** One outline for each border of the package, under its own code or the country's that it is a part of. */
export function packageOutlines(): CountryOutline[] {
  const codes = new Map(borders.features.map((border) => [border.properties.id, officialCode(border)]));
  return borders.features.flatMap((border) => {
    const { id, groups } = border.properties;
    const code = [id, ...groups].map((member) => codes.get(member)).find((found) => found !== undefined);
    // The package has borders without a shape: they are the sum of others.
    return code === undefined || !border.geometry ? [] : [{ code, geometry: border.geometry as Geometry }];
  });
}

/** Codes kept for postal use, such as AC for Ascension, are not those of countries. */
function officialCode({ properties }: Border): string | undefined {
  return properties.isoStatus === "excRes" ? undefined : properties.iso1A2;
}
