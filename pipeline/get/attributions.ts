/** Whom an extract credits: every dataset that its rows cite, with the words that its owners ask for. @module */
import type { Attribution } from "../../data/format/manifest.ts";
import { type Citation, mergeAttribution } from "../sources/index.ts";

/** @see https://docs.overturemaps.org/attribution/ */
const KNOWN: readonly Attribution[] = [
  attribution("OpenStreetMap", "ODbL-1.0", "© OpenStreetMap contributors", "https://www.openstreetmap.org/copyright"),
  attribution("meta", "CDLA-Permissive-2.0", "Meta (Overture places)", "https://overturemaps.org"),
  attribution("Microsoft", "CDLA-Permissive-2.0", "Microsoft (Overture places)", "https://overturemaps.org"),
  attribution("Foursquare", "Apache-2.0", "Foursquare OS Places", "https://opensource.foursquare.com/os-places/"),
  attribution("AllThePlaces", "CC0-1.0", "All The Places", "https://www.alltheplaces.xyz"),
  attribution(
    "Microsoft ML Buildings",
    "ODbL-1.0",
    "Microsoft Building Footprints",
    "https://github.com/microsoft/GlobalMLBuildingFootprints",
  ),
  attribution(
    "Google Open Buildings",
    "CC-BY-4.0",
    "Google Open Buildings",
    "https://sites.research.google/open-buildings/",
  ),
  attribution("Esri Community Maps", "CC-BY-4.0", "Esri Community Maps contributors", "https://www.esri.com"),
  attribution("TomTom", "ODbL-1.0", "TomTom (Overture transportation)", "https://overturemaps.org"),
  attribution("geoBoundaries", "CC-BY-4.0", "geoBoundaries", "https://www.geoboundaries.org"),
  attribution("GeoNames", "CC-BY-4.0", "GeoNames", "https://www.geonames.org"),
  attribution("Natural Earth", "Public Domain", "Natural Earth", "https://www.naturalearthdata.com"),
];

function attribution(dataset: string, license: string, text: string, url: string): Attribution {
  return { dataset, license, text, url };
}

/** A licence that rows do not tell is that of the collection they came in. */
export interface TypeCitations {
  readonly license: string;
  readonly citations: readonly Citation[];
}

export function attributionsOf(types: readonly TypeCitations[]): Attribution[] {
  const citations = types.flatMap(({ license, citations: mine }) =>
    mine.map((citation) => ({ ...citation, license: citation.license ?? (license === "other" ? null : license) })),
  );
  const cited = new Set(citations.map(({ dataset }) => dataset));
  const known = KNOWN.filter(({ dataset }) => cited.has(dataset));
  const overture = attribution("Overture", "see the datasets", "Overture Maps Foundation", "https://overturemaps.org");
  return mergeAttribution([overture, ...known], citations);
}
