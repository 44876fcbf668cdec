/**
 * The parts of a record that describe its location: its name, its address, the divisions above it. Values are
 * foreign, and each is validated.
 * @module
 */
import { addressLine } from "../../data/format/address-line.ts";
import { listOf, objectOf, textOf } from "../../data/format/json.ts";
import { nameInLanguage } from "../../data/format/name-in-language.ts";
import type { Feature } from "../engine/index.ts";

export type Described = Pick<Feature, "id" | "properties">;

export interface AddressParts {
  readonly street?: string | undefined;
  readonly number?: string | undefined;
  readonly unit?: string | undefined;
  readonly postcode?: string | undefined;
  readonly locality?: string | undefined;
  readonly region?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
}

/** Returns the record's name in the language (`nameInLanguage`), otherwise its primary name; undefined if it has neither. */
export function nameOf({ properties }: Described, language: string | undefined): string | undefined {
  const names = objectOf(properties.names);
  const common = objectOf(names?.common);
  return (language === undefined ? undefined : textOf(nameInLanguage(common, language))) ?? textOf(names?.primary);
}

/**
 * Returns the address of an address record, otherwise the first address of the record, whose street and number are parsed from
 * one text. Unknown parts are undefined. The country may come from the record itself.
 */
export function addressOf({ properties }: Described): AddressParts {
  const country = textOf(properties.country) ?? textOf(properties.ext_country);
  if (properties.type === "address") {
    const levels = listOf(properties.address_levels).map((level) => textOf(objectOf(level)?.value));
    return {
      street: textOf(properties.street),
      number: textOf(properties.number),
      unit: textOf(properties.unit),
      postcode: textOf(properties.postcode),
      locality: textOf(properties.postal_city) ?? levels.at(-1),
      region: levels.length > 1 ? levels[0] : undefined,
      country,
    };
  }
  const first = objectOf(listOf(properties.addresses)[0]);
  return {
    ...streetAndNumber(textOf(first?.freeform)),
    postcode: textOf(first?.postcode),
    locality: textOf(first?.locality),
    region: textOf(first?.region),
    country: textOf(first?.country) ?? country,
  };
}

/** Returns street and number in one line, in the order of the country; undefined without both. */
export function lineOfAddress({ street, number, country }: AddressParts): string | undefined {
  return addressLine(country, street, number);
}

/** Returns the name of a country in a language, or the code if the name is unknown; undefined without a code. */
export function countryName(code: string | undefined, language = "en"): string | undefined {
  if (code === undefined) return undefined;
  try {
    return new Intl.DisplayNames([language], { type: "region" }).of(code);
  } catch {
    // no such code, or no such language
    return code;
  }
}

/** A number is before or after the street name. */
function streetAndNumber(freeform: string | undefined): AddressParts {
  const before = freeform?.match(/^(\d+[a-z]?)\s+(?=\p{L})(.+)$/iu);
  if (before) return { number: before[1], street: before[2] };
  const behind = freeform?.match(/^(.*\p{L}\.?),?\s+(\d+\s?[a-z]?)$/iu);
  return behind ? { number: behind[2], street: behind[1] } : { street: freeform };
}
