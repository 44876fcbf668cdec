import { isKey, type MessageKey, text } from "../text/index.ts";

/** Names of columns that are no property. */
const KEYS: Readonly<Record<string, MessageKey>> = {
  name: "filter.name",
  category: "filter.categories",
  freeform: "kind.address",
  locality: "property.postal_city",
  latitude: "where.latitude",
  longitude: "where.longitude",
  phones: "filter.has_contact.phone",
  websites: "filter.has_contact.website",
  socials: "filter.has_contact.social",
  emails: "filter.has_contact.email",
  brand: "filter.brand_name",
  operating_status: "filter.operating_status",
  sources: "detail.sources",
};
const PROPERTIES = [
  "class",
  "confidence",
  "country",
  "height",
  "number",
  "postcode",
  "region",
  "street",
  "subtype",
  "type",
];

/** Returns the headers of columns in the user's language. */
export function columnHeaders(): Readonly<Record<string, string>> {
  const properties = PROPERTIES.map((name) => [name, `property.${name}`] as const);
  return Object.fromEntries(
    [...Object.entries(KEYS), ...properties].flatMap(([name, key]) => (isKey(key) ? [[name, text(key)]] : [])),
  );
}
