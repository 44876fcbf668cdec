import type { ComponentChildren } from "preact";
import type { Feature, Json } from "../../engine/index.ts";
import { humanize, kindText, locale, objectOf, propertyText, text } from "../text/index.ts";

/** Properties that other parts of the detail show, or that mean nothing to a user. */
const SHOWN_ELSEWHERE = new Set([
  "id",
  "names",
  "ext_name",
  "ext_distance",
  "categories",
  "sources",
  "addresses",
  "websites",
  "socials",
  "emails",
  "phones",
  "operating_status",
  "theme",
  // internal numbers, and a category that is already in the list
  "version",
  "connectors",
  "basic_category",
]);
/** Properties whose values are words of Overture's schema, which can be translated. */
const WORDS = new Set(["type", "subtype", "class", "subclass", "road_surface", "surface", "mode", "access_type"]);
/** Maximum number of items of a list. The rest is only in the JSON. */
const MOST_ITEMS = 12;

interface Props {
  readonly properties: Feature["properties"];
  /** Whether the properties belong to a row of the user's file. It has no other sections, and keeps its own names. */
  readonly isOwn?: boolean;
  /** Returns the title of a property of a collection with its own schema. With it, all properties are shown. */
  readonly nameOf?: ((key: string) => string) | undefined;
}

/** Shows all properties without their own section. */
export function Facts({ properties, isOwn = false, nameOf = isOwn ? humanize : undefined }: Props) {
  const facts = Object.entries(properties).filter(
    ([key, value]) => (nameOf || !SHOWN_ELSEWHERE.has(key)) && !isEmpty(value),
  );
  return <FactList facts={facts} nameOf={nameOf ?? propertyText} />;
}

interface FactListProps {
  readonly facts: readonly (readonly [string, Json])[];
  readonly nameOf?: (key: string) => string;
}

function FactList({ facts, nameOf = propertyText }: FactListProps) {
  return (
    <dl class="facts">
      {facts.map(([key, value]) => (
        <div key={key}>
          <dt>{nameOf(key)}</dt>
          <dd dir="auto">
            {nameOf === propertyText && WORDS.has(key) && typeof value === "string"
              ? kindText(value)
              : shownValue(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function shownValue(value: Json): ComponentChildren {
  if (typeof value === "string") return value;
  if (typeof value === "number") {
    return value.toLocaleString(locale.value, { useGrouping: false, maximumFractionDigits: 6 });
  }
  if (typeof value === "boolean") return text(value ? "detail.yes" : "detail.no");
  if (Array.isArray(value)) return <Items items={(value as readonly Json[]).filter((item) => !isEmpty(item))} />;
  return <FactList facts={Object.entries(objectOf(value) ?? {}).filter(([, member]) => !isEmpty(member))} />;
}

function Items({ items }: { items: readonly Json[] }) {
  const shown = items.slice(0, MOST_ITEMS);
  const more = items.length > shown.length && (
    <span class="quiet">{text("detail.moreInJson", { count: items.length - shown.length })}</span>
  );
  if (shown.every((item) => typeof item !== "object")) {
    return (
      <>
        {shown.map(shownValue).join(", ")} {more}
      </>
    );
  }
  return (
    <>
      <ul class="fact-items">
        {shown.map((item) => (
          <li key={JSON.stringify(item)}>{shownValue(item)}</li>
        ))}
      </ul>
      {more}
    </>
  );
}

function isEmpty(value: Json): boolean {
  if (value === null || value === "") return true;
  if (typeof value !== "object") return false;
  return Object.values(value).every((member) => isEmpty(member as Json));
}
