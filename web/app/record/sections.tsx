import type { Feature } from "../../engine/index.ts";
import { humanize, kindText, listOf, objectOf, text, textOf } from "../text/index.ts";

/** The category of the place, then the others that it may have. */
export function Categories({ properties }: { properties: Feature["properties"] }) {
  const categories = objectOf(properties.categories);
  const all = [categories?.primary, ...listOf(categories?.alternate)].flatMap((value) => textOf(value ?? null) ?? []);
  if (all.length === 0) return null;
  return (
    <ul class="tags" aria-label={text("filter.categories")}>
      {[...new Set(all)].map((category) => (
        <li key={category}>{kindText(category)}</li>
      ))}
    </ul>
  );
}

const STATUS = {
  open: "detail.status.open",
  temporarily_closed: "detail.status.paused",
  permanently_closed: "detail.status.closed",
} as const;

/** Whether the place is in business, where the source says so. */
export function OperatingStatus({ properties }: { properties: Feature["properties"] }) {
  const status = textOf(properties.operating_status);
  if (!status) return null;
  const known = Object.entries(STATUS).find(([name]) => name === status)?.[1];
  return (
    <p class="operating-status" data-status={status}>
      {known ? text(known) : humanize(status)}
    </p>
  );
}
