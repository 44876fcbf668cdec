/** Records as an agent gets them: one line each. @module */
import { objectOf, textOf } from "../../data/format/json.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Feature } from "../engine/index.ts";
import { addressOf, lineOfAddress, nameOf } from "../geocode/index.ts";

/** Decimals of degrees: about ten metres. */
const DECIMALS = 4;

/** Returns a line for a record: name, kind, distance, address, town, point and id, with "; " between the known ones. */
export function lineOf(
  feature: Feature,
  { hasId, language }: { hasId: boolean; language?: string | undefined },
): string {
  const { properties } = feature;
  const address = addressOf(feature);
  const [lon, lat] = representativePoint(feature.geometry) ?? [];
  const meters = properties.ext_distance;
  const line = lineOfAddress(address);
  return [
    nameOf(feature, language) ?? line ?? "unnamed",
    textOf(objectOf(properties.categories)?.primary) ?? textOf(properties.class) ?? textOf(properties.subtype),
    typeof meters === "number" ? `${Math.round(meters)} m` : undefined,
    nameOf(feature, language) === undefined ? undefined : line,
    address.locality,
    lat === undefined || lon === undefined ? undefined : pointText(lat, lon),
    hasId ? feature.id : undefined,
  ]
    .filter((part) => part !== undefined)
    .join("; ");
}

/** Returns "lat,lng" in degrees, rounded to four decimals, such as `43.7384,7.42`. */
export function pointText(lat: number, lon: number): string {
  return [lat, lon].map((degrees) => Number(degrees.toFixed(DECIMALS))).join(",");
}
