import type { Feature, Json } from "../../engine/query.ts";
import { humanize, listOf, objectOf } from "../text/record-text.ts";

/** Properties that have a section of their own, or say nothing to a reader. */
const TOLD = new Set([
  "names",
  "ext_name",
  "ext_distance",
  "sources",
  "addresses",
  "websites",
  "socials",
  "emails",
  "phones",
  "theme",
]);

/** The properties that fit in a line each. */
export function Facts({ properties }: { properties: Feature["properties"] }) {
  const facts = Object.entries(properties).filter(([key, value]) => !TOLD.has(key) && factText(value) !== "");
  return (
    <dl class="facts">
      {facts.map(([key, value]) => (
        <div key={key}>
          <dt>{humanize(key)}</dt>
          <dd dir="auto">{factText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A value in a line; structures that are more than a line are left to the JSON. */
function factText(value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "number")
    return value.toLocaleString(undefined, { useGrouping: false, maximumFractionDigits: 6 });
  if (typeof value === "boolean") return value ? "yes" : "no";
  const values = Array.isArray(value) ? listOf(value) : Object.values(objectOf(value) ?? {});
  const texts = values.map((item) =>
    Array.isArray(item) ? item.filter((leaf) => typeof leaf === "string").join(", ") : item,
  );
  return texts.every((item) => typeof item === "string") ? [...new Set(texts)].filter(Boolean).join(", ") : "";
}
