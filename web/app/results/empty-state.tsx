import { changed, EMPTY_SEARCH, formatPageState, type Search } from "../address/index.ts";
import { text } from "../text/index.ts";

const EXAMPLES = [
  { key: "boulder", search: { centre: { lat: 40.0165, lon: -105.271 }, radiusMeters: 1000 } },
  { key: "monaco", search: { path: "buildings", centre: { lat: 43.7347, lon: 7.4206 }, radiusMeters: 300 } },
  { key: "japan", search: { path: "divisions", country: "JP" } },
] as const satisfies readonly { key: string; search: Partial<Search> }[];

/** The first view: what can be done here, by example. */
export function EmptyState() {
  return (
    <div class="note">
      <h2>{text("empty.title")}</h2>
      <p>{text("empty.how")}</p>
      <ul class="examples">
        {EXAMPLES.map(({ key, search }) => (
          <li key={key}>
            <a href={formatPageState({ search: changed(EMPTY_SEARCH, search), record: undefined, view: undefined })}>
              <strong>{text(`empty.${key}`)}</strong>
              <span>{text(`empty.${key}Hint`)}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
