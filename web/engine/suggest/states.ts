/**
 * States of the United States as people write them after a town: names and letters by USPS Publication 28, appendix
 * B, boxes by the Census Bureau's boundaries of 2017 (npm `us-atlas` 3.0.1), rounded outwards to 0.1 degrees.
 * @module
 */
import { type BBox, bboxContains } from "../../../data/format/bbox.ts";
import { foldText } from "../../../data/format/fold.ts";
import type { Meaning } from "./suggestion.ts";

export interface State {
  /** Two lower-case letters. */
  readonly letters: string;
  readonly name: string;
  readonly bbox: BBox;
}

const STATES: Readonly<Record<string, readonly [name: string, bbox: BBox]>> = {
  al: ["Alabama", [-88.5, 30.2, -84.8, 35.1]],
  ak: ["Alaska", [172.4, 51.2, -129.9, 71.4]],
  az: ["Arizona", [-114.9, 31.3, -109, 37.1]],
  ar: ["Arkansas", [-94.7, 33, -89.6, 36.5]],
  ca: ["California", [-124.5, 32.5, -114.1, 42.1]],
  co: ["Colorado", [-109.1, 36.9, -102, 41.1]],
  ct: ["Connecticut", [-73.8, 40.9, -71.7, 42.1]],
  de: ["Delaware", [-75.8, 38.4, -75, 39.9]],
  dc: ["District of Columbia", [-77.2, 38.7, -76.9, 39]],
  fl: ["Florida", [-87.7, 24.5, -80, 31.1]],
  ga: ["Georgia", [-85.7, 30.3, -80.8, 35.1]],
  hi: ["Hawaii", [-160.3, 18.9, -154.8, 22.3]],
  id: ["Idaho", [-117.3, 41.9, -111, 49.1]],
  il: ["Illinois", [-91.6, 36.9, -87.4, 42.6]],
  in: ["Indiana", [-88.1, 37.7, -84.7, 41.8]],
  ia: ["Iowa", [-96.7, 40.3, -90.1, 43.5]],
  ks: ["Kansas", [-102.1, 36.9, -94.5, 40.1]],
  ky: ["Kentucky", [-89.6, 36.4, -81.9, 39.2]],
  la: ["Louisiana", [-94.1, 28.9, -88.8, 33.1]],
  me: ["Maine", [-71.1, 43, -66.9, 47.5]],
  md: ["Maryland", [-79.5, 37.9, -75, 39.8]],
  ma: ["Massachusetts", [-73.6, 41.2, -69.9, 42.9]],
  mi: ["Michigan", [-90.5, 41.6, -82.4, 48.2]],
  mn: ["Minnesota", [-97.3, 43.4, -89.4, 49.4]],
  ms: ["Mississippi", [-91.7, 30.1, -88, 35]],
  mo: ["Missouri", [-95.8, 35.9, -89, 40.7]],
  mt: ["Montana", [-116.1, 44.3, -104, 49.1]],
  ne: ["Nebraska", [-104.1, 40, -95.3, 43.1]],
  nv: ["Nevada", [-120.1, 35, -114, 42.1]],
  nh: ["New Hampshire", [-72.6, 42.6, -70.7, 45.4]],
  nj: ["New Jersey", [-75.6, 38.9, -73.8, 41.4]],
  nm: ["New Mexico", [-109.1, 31.3, -103, 37]],
  ny: ["New York", [-79.8, 40.5, -71.8, 45.1]],
  nc: ["North Carolina", [-84.4, 33.8, -75.4, 36.6]],
  nd: ["North Dakota", [-104.1, 45.9, -96.5, 49.1]],
  oh: ["Ohio", [-84.9, 38.4, -80.5, 42]],
  ok: ["Oklahoma", [-103.1, 33.6, -94.4, 37.1]],
  or: ["Oregon", [-124.6, 41.9, -116.4, 46.3]],
  pa: ["Pennsylvania", [-80.6, 39.7, -74.6, 42.3]],
  ri: ["Rhode Island", [-71.9, 41.1, -71.1, 42.1]],
  sc: ["South Carolina", [-83.4, 32, -78.5, 35.3]],
  sd: ["South Dakota", [-104.1, 42.4, -96.4, 46]],
  tn: ["Tennessee", [-90.4, 34.9, -81.6, 36.7]],
  tx: ["Texas", [-106.7, 25.8, -93.5, 36.6]],
  ut: ["Utah", [-114.1, 36.9, -109, 42.1]],
  vt: ["Vermont", [-73.5, 42.7, -71.4, 45.1]],
  va: ["Virginia", [-83.7, 36.5, -75.2, 39.5]],
  wa: ["Washington", [-124.8, 45.5, -116.9, 49.1]],
  wv: ["West Virginia", [-82.7, 37.2, -77.7, 40.7]],
  wi: ["Wisconsin", [-92.9, 42.4, -86.8, 47.1]],
  wy: ["Wyoming", [-111.1, 40.9, -104, 45.1]],
};

const BY_WORDS: ReadonlyMap<string, State> = new Map(
  Object.entries(STATES).flatMap(([letters, [name, bbox]]) =>
    [letters, foldText(name).replaceAll(" ", "")].map((words) => [words, { letters, name, bbox }] as const),
  ),
);

/** Returns the state for the folded words of its name or its two letters; undefined for other words. */
export function stateCalled(words: readonly string[]): State | undefined {
  return BY_WORDS.get(words.join(""));
}

/**
 * Returns whether the division can be in the state: its detail names the state, or it has no detail and lies in the state's box.
 */
export function mayLieInState({ country, detail, lon, lat }: Meaning, { name, bbox }: State): boolean {
  if (country !== "US") return false;
  return detail === "" ? bboxContains(bbox, lon, lat) : detail.split(", ").includes(name);
}
