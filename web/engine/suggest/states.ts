/**
 * States of the United States as people write them behind a town: their names and letters by USPS Publication 28, appendix B.
 * @module
 */
import { foldText } from "../../../data/format/fold.ts";
import type { Suggestion } from "./suggestion.ts";

const STATES: Readonly<Record<string, string>> = {
  al: "Alabama",
  ak: "Alaska",
  az: "Arizona",
  ar: "Arkansas",
  ca: "California",
  co: "Colorado",
  ct: "Connecticut",
  de: "Delaware",
  dc: "District of Columbia",
  fl: "Florida",
  ga: "Georgia",
  hi: "Hawaii",
  id: "Idaho",
  il: "Illinois",
  in: "Indiana",
  ia: "Iowa",
  ks: "Kansas",
  ky: "Kentucky",
  la: "Louisiana",
  me: "Maine",
  md: "Maryland",
  ma: "Massachusetts",
  mi: "Michigan",
  mn: "Minnesota",
  ms: "Mississippi",
  mo: "Missouri",
  mt: "Montana",
  ne: "Nebraska",
  nv: "Nevada",
  nh: "New Hampshire",
  nj: "New Jersey",
  nm: "New Mexico",
  ny: "New York",
  nc: "North Carolina",
  nd: "North Dakota",
  oh: "Ohio",
  ok: "Oklahoma",
  or: "Oregon",
  pa: "Pennsylvania",
  ri: "Rhode Island",
  sc: "South Carolina",
  sd: "South Dakota",
  tn: "Tennessee",
  tx: "Texas",
  ut: "Utah",
  vt: "Vermont",
  va: "Virginia",
  wa: "Washington",
  wv: "West Virginia",
  wi: "Wisconsin",
  wy: "Wyoming",
};

const BY_NAME: ReadonlyMap<string, string> = new Map(Object.values(STATES).map((name) => [foldText(name), name]));

/** The state's name, where the words are that or its two letters. */
export function stateCalled(words: readonly string[]): string | undefined {
  const text = words.join(" ");
  return STATES[text] ?? BY_NAME.get(text);
}

/** Whether the division may lie in the state: one that tells no region may lie in any. */
export function mayLieInState({ country, detail }: Suggestion, state: string): boolean {
  return country === "US" && (detail === "" || detail.split(", ").includes(state));
}
