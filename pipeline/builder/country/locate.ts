import type { Position } from "../../../data/format/geometry.ts";
import { NO_COUNTRY } from "../../../data/format/manifest.ts";
import type { CountryOutline } from "../../overture/borders/index.ts";
import type { LocateCountry } from "../rows/index.ts";
import { coverOutlines } from "./cover.ts";
import { nearestOutline } from "./offshore.ts";
import { makeOutlines } from "./outlines.ts";

/**
 * Returns a function that finds the country of a row from its position and its declared country. It tries in this
 * order: the declared two-letter code, the sources' outlines, the package's outlines, the nearest outline within 12
 * nautical miles. Otherwise it returns `NO_COUNTRY`. At sea, the package's outlines count only for countries that the
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
