import { Fragment } from "preact";
import {
  changed,
  formatPageState,
  isComplete,
  MAX_RADIUS_METERS,
  nearestArgument,
  restAddress,
  type Search,
} from "../address/index.ts";
import { areDotsShown, changeSearch, draft, mapSettings } from "../state/index.ts";
import {
  countryName,
  formatCount,
  formatDistance,
  type MessageKey,
  pathText,
  recordTitle,
  text,
} from "../text/index.ts";
import { countryRows } from "../widgets/index.ts";
import { Examples } from "./examples.tsx";
import { useNearest } from "./nearest.tsx";
import { useTowns } from "./use-towns.ts";

const COUNTRIES_SHOWN = 8;
/** Character that stands for the value in a message, to find its place. */
const MARK = "\0";

/** What the panel shows before a search: what the page is, where its data is, and how to begin. */
export function EmptyState() {
  const { size } = countryRows(draft.value);
  const hasDotsNote = size > 0 && size <= COUNTRIES_SHOWN && areDotsShown.value;
  return (
    <div class="note">
      <h2>{mapSettings.title ?? text("empty.title")}</h2>
      <p>{mapSettings.description ?? text("about.what")}</p>
      <TownsToStart search={draft.value} />
      <ul class="hints">
        <li>{text("empty.how")}</li>
        {hasDotsNote && <li class="coverage-key">{text("empty.dots")}</li>}
      </ul>
      <Examples />
    </div>
  );
}

/** Links to a search around each town with data; if there are many towns, to a search in each country. */
function TownsToStart({ search }: { search: Search }) {
  const { path } = search;
  const towns = useTowns(() => path);
  const places = towns.map(({ name, rows, ...centre }) => ({
    name,
    rows,
    href: formatPageState({ search: changed(search, { centre, country: undefined }), around: name }),
  }));
  const countries = [...countryRows(search)]
    .sort(([, a], [, b]) => b - a)
    .slice(0, COUNTRIES_SHOWN)
    .map(([country, rows]) => ({
      name: countryName(country),
      rows,
      href: formatPageState({ search: changed(search, { country, centre: undefined }) }),
    }));
  const shown = places.length > 0 ? places : countries;
  if (shown.length === 0) return null;
  return (
    <ul class="examples is-compact" aria-label={pathText(path)}>
      {shown.map(({ name, rows, href }) => (
        <li key={href}>
          <a href={href}>
            <strong>{name}</strong> <span>{`${pathText(path)}: ${formatCount(rows)}`}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Says why a search found nothing, and suggests other searches. */
export function NothingFound({ search }: { search: Search }) {
  const { centre, area, country, filters } = search;
  const unfiltered = { filters: {}, isOpenNow: false };
  // Filters may be all that a search has.
  const isFiltered =
    (Object.keys(filters).length > 0 || search.isOpenNow === true) && isComplete(changed(search, unfiltered));
  const reasons = [
    text(whereKey(search), { name: filters.name ?? "" }),
    (centre ?? area) && country !== undefined && text("results.emptyCountryToo"),
    isFiltered && text("results.emptyFilters"),
  ];
  return (
    <div class="note">
      <h2>{text("results.none")}</h2>
      <p>{reasons.filter(Boolean).join(" ")}</p>
      {centre && !area && <NearestOne key={restAddress(search)} search={search} />}
      {!isFiltered && <TownsIn key={search.path} search={search} />}
      {isFiltered && (
        <button type="button" onClick={() => changeSearch(unfiltered)}>
          {text("filters.clear")}
        </button>
      )}
    </div>
  );
}

/** Names the nearest record outside the circle, and offers a circle that contains it. */
function NearestOne({ search }: { search: Search }) {
  const nearest = useNearest(nearestArgument(search));
  if (!nearest) return null;
  const { record, meters } = nearest;
  const radiusMeters = roundedUp(meters);
  return (
    <>
      <p>{text("results.nearest", { name: recordTitle(record), distance: formatDistance(meters) })}</p>
      {radiusMeters <= MAX_RADIUS_METERS && (
        <button type="button" onClick={() => changeSearch({ radiusMeters })}>
          {text("results.searchWithin", { distance: formatDistance(radiusMeters) })}
        </button>
      )}
    </>
  );
}

/** Returns a greater number of metres with two significant figures, like a radius that a person chooses. */
function roundedUp(meters: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(meters)) - 1);
  return (Math.floor(meters / step) + 1) * step;
}

/** Names the countries with most records of this kind, and their numbers. */
function DataIn({ search }: { search: Search }) {
  const rows = [...countryRows(search)].sort(([, a], [, b]) => b - a);
  if (rows.length === 0) return null;
  const countries = rows
    .slice(0, COUNTRIES_SHOWN)
    .map(([code, count]) => `${countryName(code)} (${formatCount(count)})`);
  return <p>{text("results.dataIn", { what: pathText(search.path), countries: countries.join(", ") })}</p>;
}

/** Links to a search around each town with data; if there are many towns, names the countries. */
function TownsIn({ search }: { search: Search }) {
  const { path } = search;
  const towns = useTowns(() => path);
  if (towns.length === 0) return <DataIn search={search} />;
  const [before, after] = text("results.dataIn", { what: pathText(path), countries: MARK }).split(MARK);
  return (
    <p>
      {before}
      {towns.map(({ name, rows, ...centre }, index) => (
        <Fragment key={centre.lon}>
          {index > 0 && ", "}
          <a href={formatPageState({ search: changed(search, { centre, country: undefined }), around: name })}>
            {name}
          </a>
          {` (${formatCount(rows)})`}
        </Fragment>
      ))}
      {after}
    </p>
  );
}

function whereKey({ centre, area, country, filters }: Search): MessageKey {
  if (centre) return "results.emptyCircle";
  if (area) return "results.emptyArea";
  if (country !== undefined) return "results.emptyCountry";
  return filters.name === undefined ? "results.emptyEverywhere" : "results.emptyName";
}
