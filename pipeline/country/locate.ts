import { borders } from "@rapideditor/country-coder";
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { NO_COUNTRY } from "../../data/format/manifest.ts";
import type { LocateCountry } from "../rows/index.ts";
import { coverOutlines } from "./cover.ts";
import { nearestOutline } from "./offshore.ts";
import { type CountryOutline, makeOutlines } from "./outlines.ts";

/**
 * Finds the country of a row. Tries in this order: the declared two-letter code, the sources' outlines, the package's
 * outlines, the nearest outline within 12 nautical miles. At sea the package's outlines count only for countries that the
 * sources lack.
 */
export function locateCountry(
  sourceOutlines: readonly CountryOutline[],
  packageOutlines: readonly CountryOutline[],
): LocateCountry {
  const held = new Set(sourceOutlines.map(({ code }) => code));
  const lacking = packageOutlines.filter(({ code }) => !held.has(code));
  const inSource = whenAsked(() => coverOutlines(makeOutlines(sourceOutlines)));
  const inPackage = whenAsked(() => coverOutlines(makeOutlines(packageOutlines)));
  const nearest = whenAsked(() => nearestOutline(makeOutlines([...sourceOutlines, ...lacking])));
  return (point, declared) => {
    if (declared !== null && /^[A-Za-z]{2}$/.test(declared)) return declared.toUpperCase();
    return inSource(point) ?? inPackage(point) ?? nearest(point) ?? NO_COUNTRY;
  };
}

/** Creates the finder for the first position: rows with a declared country do not need it. */
function whenAsked(make: () => Find): Find {
  let find: Find | undefined;
  return (position) => {
    find ??= make();
    return find(position);
  };
}

type Find = (position: Position) => string | undefined;

type Border = (typeof borders)["features"][number];

/**
 * Borders of `@rapideditor/country-coder`: coarse, with territorial waters. Each has its own code or its country's.
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
