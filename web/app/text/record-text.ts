/** Texts about a record. Its values come from others: each is checked for its type. @module */
import { addressLine, postalLines, readableCase } from "../../../data/format/address-line.ts";
import { type Json, listOf, objectOf, textOf } from "../../../data/format/json.ts";
import type { Feature } from "../../engine/index.ts";
import { kindText } from "./kind-text.ts";
import { countryName, nameFor } from "./languages.ts";
import { language, text } from "./text.ts";

type Properties = Feature["properties"];

/** Returns the name of the record, otherwise its address, otherwise its kind, otherwise "Unnamed". */
export function recordTitle({ properties }: Pick<Feature, "properties">): string {
  const names = objectOf(properties.names);
  const name = nameFor(textOf(names?.primary), textsOf(names?.common));
  const kind = kindText(kindOf(properties)) || kindText(textOf(properties.type));
  return name ?? addressTitle(properties) ?? (kind || text("record.unnamed"));
}

/** Returns kind, address and the like in one line, without what the title says; empty if nothing more is known. */
export function recordSubtitle(feature: Feature): string {
  const { properties } = feature;
  const address = objectOf(listOf(properties.addresses)[0]);
  return joinedWithout(recordTitle(feature), [
    kindOfRecord(properties),
    inReadableCase(textOf(address?.freeform), textOf(address?.country)),
    properties.theme === "own" ? textOf(address?.locality) : undefined,
    height(properties),
    textOf(properties.postcode),
    townOf(properties),
    countryOfDivision(properties),
  ]);
}

/** Returns the kind of the record in words, with height and, for divisions, the country; empty if the title says it. */
export function recordKind(feature: Feature): string {
  const { properties } = feature;
  return joinedWithout(recordTitle(feature), [
    kindOfRecord(properties),
    height(properties),
    countryOfDivision(properties),
  ]);
}

/** Returns the lines of each address of the record, in the order that the post of its country uses. Empty without addresses. */
export function recordAddresses({ properties }: Feature): readonly (readonly string[])[] {
  const { country: code = null, postcode = null } = properties;
  const isAddress = properties.theme === "addresses";
  const addresses = isAddress
    ? [{ country: code, postcode, locality: townOf(properties) ?? null }]
    : listOf(properties.addresses);
  return addresses.map((address) => {
    const { freeform, locality, region, postcode, country } = textsOf(address);
    const lines = postalLines(country, {
      street: inReadableCase(freeform, country),
      locality: inReadableCase(locality, country),
      region,
      postcode,
    });
    return country === undefined ? lines : [...lines, countryName(country)];
  });
}

function joinedWithout(title: string, parts: readonly (string | undefined)[]): string {
  const shown = parts.filter((part) => part && part !== title);
  // a Latin street in an Arabic line would change places with its number
  return (isRightToLeft() ? shown.map((part) => `\u2068${part}\u2069`) : shown).join(" · ");
}

function isRightToLeft(): boolean {
  return language.value === "ar";
}

function kindOfRecord(properties: Properties): string {
  return kindText(categoryOf(properties)) || kindText(kindOf(properties));
}

/** Returns the smallest level of an address, usually the town; undefined for other records. */
function townOf(properties: Properties): string | undefined {
  if (textOf(properties.street) === undefined) return undefined;
  const levels = listOf(properties.address_levels).map((level) => textOf(objectOf(level)?.value ?? level));
  return inReadableCase(levels.at(-1), textOf(properties.country));
}

function countryOfDivision(properties: Properties): string | undefined {
  const country = textOf(properties.country);
  return properties.theme === "divisions" && country !== undefined ? countryName(country) : undefined;
}

function inReadableCase(value: string | undefined, country: string | undefined): string | undefined {
  return value && readableCase(value, country);
}

/** Returns the distance of the record in metres from the centre of the search or of its drawn area; undefined without both. */
export function distanceOf({ properties }: Feature): number | undefined {
  return typeof properties.ext_distance === "number" ? properties.ext_distance : undefined;
}

/** Returns the properties that are texts, by key. */
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
  const code = textOf(country);
  const line = addressLine(code, inReadableCase(textOf(street), code), textOf(number));
  return [line, textOf(unit)].filter(Boolean).join(", ") || undefined;
}

function height(properties: Properties): string | undefined {
  if (typeof properties.height === "number") return text("record.height", { metres: properties.height });
  return undefined;
}
