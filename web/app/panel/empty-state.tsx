import { formatPageState, PAGE_SIZES, type Search } from "../state/search.ts";

const EXAMPLES: readonly { readonly title: string; readonly hint: string; readonly search: Search }[] = [
  {
    title: "Places in Boulder",
    hint: "Everything within 1 km of the centre, nearest first",
    search: example({ path: "places", centre: { lat: 40.0165, lon: -105.271 }, radiusMeters: 1000 }),
  },
  {
    title: "Buildings in Monaco",
    hint: "Outlines around the harbour, 300 m",
    search: example({ path: "buildings", centre: { lat: 43.7347, lon: 7.4206 }, radiusMeters: 300 }),
  },
  {
    title: "Divisions of Japan",
    hint: "A whole country instead of a circle",
    search: example({ path: "divisions", country: "JP" }),
  },
];

/** The first view: what can be done here, by example. */
export function EmptyState() {
  return (
    <div class="note">
      <h2>Search the map</h2>
      <p>Click the map to search around that spot, or begin with one of these:</p>
      <ul class="examples">
        {EXAMPLES.map(({ title, hint, search }) => (
          <li key={title}>
            <a href={formatPageState({ search, record: undefined, view: undefined })}>
              <strong>{title}</strong>
              <span>{hint}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function example(search: Pick<Search, "path"> & Partial<Search>): Search {
  return { centre: undefined, radiusMeters: 1000, country: undefined, page: 0, limit: PAGE_SIZES[0], ...search };
}
