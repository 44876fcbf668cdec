/** The parameters of `/changes`: which records differ from an older release. @module */
import { OVERTURE_TYPES } from "../../data/format/collections.ts";
import { ParameterError, type Parameters, parseSearch, type Search, type SearchPath } from "../search/index.ts";

const [first = "place", ...others] = OVERTURE_TYPES;

export const CHANGES_PATH = {
  path: "/changes",
  summary: "What changed since an older release.",
  description:
    "Records that were added, removed or changed since an older release in the dataset; by type, then by id. Needs `since`, and `lat` and `lng`, or `country` or `within`. A record that moved out of the circle is `removed`: from here. At most 25,000 records of each release are compared.",
  collections: ["place"],
  types: [first, ...others],
  parameters: ["since", "lat", "lng", "radius", "within", "country", "limit", "page", "release", "format", "api_key"],
  required: ["since"],
} as const satisfies SearchPath & { readonly summary: string; readonly description: string };

export interface ChangesSearch {
  readonly since: string;
  /** The search whose records are compared. Its page and limit count changes. */
  readonly search: Search;
}

/** Parses the parameters. Throws `ParameterError` with every fault. */
export function parseChanges(parameters: Parameters): ChangesSearch {
  const faults: string[] = [];
  const { since } = parameters;
  if (since === undefined) faults.push("since is required: the name of an older release in the dataset, got nothing");
  try {
    const search = parseSearch(CHANGES_PATH, parameters);
    if (typeof since === "string") return { since: since.trim(), search };
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    faults.push(...error.faults);
  }
  throw new ParameterError(faults);
}
