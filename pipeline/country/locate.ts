import { borders } from "@rapideditor/country-coder";
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { NO_COUNTRY } from "../../data/format/manifest.ts";
import type { LocateCountry } from "../rows/index.ts";
import { coverOutlines } from "./cover.ts";
import { nearestOutline } from "./offshore.ts";
import { type CountryOutline, makeOutlines } from "./outlines.ts";

/**
 * By what the row declares, when it is a code of two letters; else by the sources' outlines, then by the package's,
 * then by the nearest within 12 nautical miles. At sea the package's outlines count only for countries the sources lack.
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

/** A finder that is made for the first position it is asked for: rows that declare their country ask for none. */
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
 * The borders of `@rapideditor/country-coder`: coarse, with territorial waters. Each under its own code or that of
 * its country.
 */
export function packageOutlines(): CountryOutline[] {
  const codes = new Map(borders.features.map((border) => [border.properties.id, officialCode(border)]));
  return borders.features.flatMap((border) => {
    const { id, groups } = border.properties;
    const code = [id, ...groups].map((member) => codes.get(member)).find((found) => found !== undefined);
    // some have no shape: they are the sum of others
    return code === undefined || !border.geometry ? [] : [{ code, geometry: border.geometry as Geometry }];
  });
}

/** Codes reserved for postal use, such as AC for Ascension, are no countries'. */
function officialCode({ properties }: Border): string | undefined {
  return properties.isoStatus === "excRes" ? undefined : properties.iso1A2;
}
