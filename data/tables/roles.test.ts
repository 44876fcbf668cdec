import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { LANGUAGES } from "../format/languages.ts";
import type { Role } from "../format/own-schema.ts";
import { rolesByName } from "./roles.ts";

/** Headers of the page's exports, by role. */
const HEADERS: readonly (readonly [Role, string])[] = [
  ["name", "filter.name"],
  ["address", "kind.address"],
  ["street", "property.street"],
  ["postcode", "property.postcode"],
  ["region", "property.region"],
  ["phone", "filter.has_contact.phone"],
  ["website", "filter.has_contact.website"],
  ["email", "filter.has_contact.email"],
];

test.each(LANGUAGES)("a header that the page exports has its role, in %s", async (language) => {
  const file = new URL(`../../web/app/text/messages/${language}.json`, import.meta.url);
  const messages: Readonly<Record<string, string>> = JSON.parse(await readFile(file, "utf8"));
  const without = HEADERS.filter(([role, key]) => {
    const header = messages[key] ?? "";
    return rolesByName([header]).get(header) !== role;
  });
  expect(without.map(([, key]) => messages[key])).toEqual([]);
});
