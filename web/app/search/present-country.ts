/** The country that the reader looks at: its places and streets are suggested, its names searched. @module */
import type { Feature, Json } from "../../engine/index.ts";
import { coordinate, type View } from "../address/index.ts";
import { draft, found, pageState } from "../state/index.ts";
import { remote } from "../worker/index.ts";

/** At lower zooms the middle of the map is no hint. */
const MIN_ZOOM = 8;
/** A division is nearer than that wherever people live. */
export const REACH_METERS = 30_000;

/** The chosen country, else that of the nearest record, else the one that the map shows; undefined when none is known. */
export async function presentCountry(signal: AbortSignal): Promise<string | undefined> {
  const { country } = draft.peek();
  if (country !== undefined) return country;
  const [first] = found.peek()?.records ?? [];
  const view = presentView();
  return (first && countryOf(first)) ?? (view ? countryAt(view, signal) : undefined);
}

/** What the map shows; undefined where that is too much for its middle to be a hint. */
export function presentView(): View | undefined {
  const { view } = pageState.peek();
  return view && view.zoom >= MIN_ZOOM ? view : undefined;
}

function countryOf({ properties }: Feature): string | undefined {
  const [address] = (properties.addresses ?? []) as readonly { readonly country?: Json }[];
  const known = address?.country ?? properties.country;
  return typeof known === "string" ? known : undefined;
}

/** That of the nearest division. */
async function countryAt({ lat, lon }: View, signal: AbortSignal): Promise<string | undefined> {
  const parameters = { lat: coordinate(lat), lng: coordinate(lon), radius: String(REACH_METERS), limit: "1" };
  const answer = await remote("search", { path: "/divisions", parameters }, signal).catch(() => undefined);
  const [nearest] = answer?.kind === "found" ? answer.body : [];
  return nearest && countryOf(nearest);
}
