/** Texts of a record. Its values are foreign: each is checked for its type and shown as text. @module */
import { addressLine } from "../../../data/format/address-line.ts";
import { type Json, listOf, objectOf, textOf } from "../../../data/format/json.ts";
import type { Feature } from "../../engine/index.ts";
import { kindText } from "./kind-text.ts";
import { countryName, nameFor } from "./languages.ts";
import { text } from "./text.ts";

type Properties = Feature["properties"];

/** Returns the name of the record, otherwise its kind. */
export function recordTitle({ properties }: Pick<Feature, "properties">): string {
  const names = objectOf(properties.names);
  const name = nameFor(textOf(names?.primary), textsOf(names?.common));
  const kind = kindText(kindOf(properties)) || kindText(textOf(properties.type));
  return name ?? addressTitle(properties) ?? (kind || text("record.unnamed"));
}

/** Returns its kind and address in one line; empty when nothing more is known. */
export function recordSubtitle(feature: Feature): string {
  const { properties } = feature;
  const title = recordTitle(feature);
  const address = objectOf(listOf(properties.addresses)[0]);
  const levels = listOf(properties.address_levels).map((level) => textOf(objectOf(level)?.value ?? level));
  const parts = [
    kindText(categoryOf(properties)) || kindText(kindOf(properties)),
    textOf(address?.freeform),
    properties.theme === "own" ? textOf(address?.locality) : undefined,
    height(properties),
    textOf(properties.postcode),
    ...(textOf(properties.street) ? levels.reverse().slice(0, 1) : []),
    properties.theme === "divisions" && textOf(properties.country)
      ? countryName(String(properties.country))
      : undefined,
  ];
  return parts.filter((part) => part && part !== title).join(" · ");
}

/** Returns the distance from the centre of the search, metres. */
export function distanceOf({ properties }: Feature): number | undefined {
  return typeof properties.ext_distance === "number" ? properties.ext_distance : undefined;
}

/** Returns texts by key, without other values. */
export function textsOf(value: Json | undefined): Record<string, string> {
  const entries = Object.entries(objectOf(value) ?? {});
  return Object.fromEntries(entries.flatMap(([key, text]) => (typeof text === "string" ? [[key, text]] : [])));
}

function categoryOf(properties: Properties): string | undefined {
  return textOf(objectOf(properties.categories)?.primary) ?? textOf(properties.basic_category);
}

function kindOf(properties: Properties): string | undefined {
  // The class of a division only states whether its area ends at the coast.
  if (properties.theme === "divisions") return textOf(properties.subtype);
  return textOf(properties.class) ?? textOf(properties.subtype) ?? categoryOf(properties);
}

function addressTitle({ country, street, number, unit }: Properties): string | undefined {
  const line = addressLine(textOf(country), textOf(street), textOf(number));
  return [line, textOf(unit)].filter(Boolean).join(", ") || undefined;
}

function height(properties: Properties): string | undefined {
  if (typeof properties.height === "number") return text("record.height", { metres: properties.height });
  return undefined;
}
