/** The list of `<cairn-map list>` next to its map: filters, results, and one record with directions. @module */
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { columnValue, writtenName } from "../../../data/format/own-collections.ts";
import { FLAGS, type OwnFilter } from "../../../data/format/own-filters.ts";
import type { OwnColumn } from "../../../data/format/own-schema.ts";
import { representativePoint } from "../../../data/format/representative-point.ts";
import type { FacetCount, Feature } from "../../engine/index.ts";
import { hoursOf } from "../../hosts/browser/hours/index.ts";
import type { HoursAnswer } from "../../hosts/browser/protocol/index.ts";
import type { ElementKey } from "../../map/element-keys.ts";
import { changeText } from "../../map/hours-text.ts";
import { ContactList, contactsIn, HoursTable } from "../../map/record-view.tsx";
import { directionsTo, distanceText, factsOf, roleText, subtitleOf, titleOf } from "./record-parts.ts";
import type { Speech } from "./text.ts";

interface LocatorOptions {
  /** Element for the filters, above the status line. */
  readonly controls: HTMLElement;
  /** Element for the list or one record, below the status line. */
  readonly results: HTMLElement;
  /** Called when the visitor sets a filter. Without a value, the filter is removed. */
  readonly onFilter: (name: string, value: string | undefined) => void;
  readonly onClear: () => void;
  /** Called with the visitor's position, from which the list is ordered; with undefined to go back to the owner's order. */
  readonly onPosition: (position: { readonly lat: number; readonly lon: number } | undefined) => void;
  readonly onSelect: (feature: Feature | undefined) => void;
  /** Called when the list must be arranged again although the search is the same. */
  readonly onArrange: () => void;
}

interface LocatorView {
  readonly speech: Speech;
  readonly features: readonly Feature[];
  readonly columns: readonly OwnColumn[];
  readonly filters: readonly OwnFilter[];
  /**
   * The values of all columns with few values, with their numbers of rows. Each begins with the name of its column, as
   * `columnValue` writes it.
   */
  readonly values: readonly FacetCount[];
  readonly chosen: ReadonlyMap<string, string>;
  readonly isNear: boolean;
}

/** The list of results next to the map. */
export interface Locator {
  /**
   * Returns the features for the list: in the given order if they have distances or `isComplete` is false, otherwise by title. If
   * the visitor wants only open ones, leaves out others; only if `isComplete`, which says that the search has no other features.
   */
  arrange(
    features: readonly Feature[],
    view: Pick<LocatorView, "columns" | "speech"> & { readonly isComplete: boolean },
  ): Promise<readonly Feature[]>;
  show(view: LocatorView): void;
  select(id: string): void;
  remove(): void;
}

const LOCATE_MS = 20_000;
const MINUTE_MS = 60_000;
/** Number of filters if the owner names none: more would hide the list. */
const DEFAULT_FILTERS = 5;

/**
 * Returns the filters that visitors can choose: those of the named columns, in the order of the names. Without names, the first
 * five filters that have a list of values, or yes and no. Columns that `conditions` (parameters of the page's owner) limit have no
 * filter. Throws if a name is no column with a filter.
 */
export function offeredFilters(
  all: readonly OwnFilter[],
  names: readonly string[] | undefined,
  conditions: URLSearchParams,
): readonly OwnFilter[] {
  const held = new Set(all.flatMap(({ name, column }) => (conditions.has(name) ? [column.name] : [])));
  const isFree = ({ column }: OwnFilter) => !held.has(column.name);
  const fields = all.filter(({ kind, bound }) => bound !== "max" && kind !== "numbers" && !(kind === "date" && !bound));
  const lists = fields.filter(({ kind }) => kind === "values" || kind === "flags");
  if (!names) return lists.slice(0, DEFAULT_FILTERS).filter(isFree);
  const written = ({ column }: OwnFilter) => writtenName(column.name);
  const unknown = names.filter((name) => !fields.some((field) => written(field) === name));
  if (unknown.length > 0) {
    const known = [...new Set(fields.map(written))].join(", ");
    throw new Error(
      `filters: no column ${unknown.join(", ")}; ${known === "" ? "the path has none" : `the table has ${known}`}`,
    );
  }
  return names.flatMap((name) => fields.filter((field) => written(field) === name)).filter(isFree);
}

/** Draws filters into `controls`, and the list or one record into `results`. Draws nothing before the first `show`. */
export function createLocator(options: LocatorOptions): Locator {
  const { controls, results, onPosition, onArrange, onSelect } = options;
  let view: LocatorView | undefined;
  let hours: ReadonlyMap<string, HoursAnswer> = new Map();
  let isOpenNow = false;
  let fault: ElementKey | undefined;
  let selected: Feature | undefined;
  /** The row that has the focus of the list. */
  let active: string | undefined;

  const draw = () => {
    if (!view) return;
    const { speech } = view;
    controls.hidden = selected !== undefined;
    render(
      <Controls
        {...options}
        {...view}
        isOpenNow={isOpenNow}
        fault={fault}
        onNear={locate}
        onOpenNow={(next) => {
          isOpenNow = next;
          onArrange();
        }}
      />,
      controls,
    );
    render(
      selected ? (
        <Detail
          key={selected.id}
          feature={selected}
          columns={view.columns}
          speech={speech}
          hours={hours.get(selected.id)}
          onClose={() => choose(undefined)}
        />
      ) : (
        <List
          features={view.features}
          speech={speech}
          hours={hours}
          active={active}
          onActive={(id) => {
            active = id;
            draw();
          }}
          onSelect={choose}
        />
      ),
      results,
    );
  };
  const choose = (feature: Feature | undefined) => {
    const before = selected;
    selected = feature;
    if (feature) active = feature.id;
    draw();
    onSelect(feature);
    if (before && !feature) results.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    if (feature) results.scrollTop = 0;
  };
  const locate = () => {
    fault = undefined;
    if (view?.isNear) {
      onPosition(undefined);
      return;
    }
    const failed = (key: ElementKey) => {
      fault = key;
      draw();
    };
    if (!navigator.geolocation) {
      failed("locate.unavailable");
      return;
    }
    draw();
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => onPosition({ lat: coords.latitude, lon: coords.longitude }),
      ({ code, PERMISSION_DENIED, TIMEOUT }) => {
        if (code === PERMISSION_DENIED) failed("locate.denied");
        else failed(code === TIMEOUT ? "locate.timeout" : "locate.unavailable");
      },
      { timeout: LOCATE_MS, maximumAge: 5 * MINUTE_MS, enableHighAccuracy: false },
    );
  };

  const readHours = async (features: readonly Feature[], columns: readonly OwnColumn[]) => {
    const at = Date.now();
    const read = await Promise.all(
      features.map(async (feature) => {
        const text = roleText(feature, columns, "hours");
        const [lon, lat] = representativePoint(feature.geometry) ?? [];
        if (text === undefined || lon === undefined || lat === undefined) return [];
        const country = feature.properties.ext_country;
        const of = typeof country === "string" && country !== "ZZ" ? country : undefined;
        const answer = await hoursOf({ text, lon, lat, country: of, at });
        return answer ? [[feature.id, answer] as const] : [];
      }),
    );
    return new Map(read.flat());
  };

  return {
    async arrange(features, { columns, speech, isComplete }) {
      fault = undefined;
      const hasDistance = features.some(({ properties }) => typeof properties.ext_distance === "number");
      const { compare } = new Intl.Collator(speech.locale, { numeric: true });
      const titles = new Map(features.map((feature) => [feature, titleOf(feature, speech)]));
      const ordered =
        hasDistance || !isComplete
          ? features
          : features.toSorted((a, b) => compare(titles.get(a) ?? "", titles.get(b) ?? ""));
      hours = await readHours(ordered, columns).catch(() => new Map<string, HoursAnswer>());
      if (!isOpenNow) return ordered;
      if (!isComplete) {
        isOpenNow = false;
        fault = "element.tooMany";
        return ordered;
      }
      return ordered.filter(({ id }) => hours.get(id)?.isOpen === true);
    },
    show(next) {
      view = next;
      if (selected) {
        selected = next.features.find(({ id }) => id === selected?.id);
        onSelect(selected);
      }
      if (!next.features.some(({ id }) => id === active)) active = next.features[0]?.id;
      draw();
    },
    select(id) {
      const feature = view?.features.find((each) => each.id === id);
      if (feature) choose(feature);
    },
    remove() {
      render(null, controls);
      render(null, results);
    },
  };
}

interface ControlsProps extends LocatorOptions, LocatorView {
  readonly isOpenNow: boolean;
  readonly fault: ElementKey | undefined;
  readonly onNear: () => void;
  readonly onOpenNow: (isOpenNow: boolean) => void;
}

function Controls(props: ControlsProps) {
  const { speech, columns, filters, chosen, isNear, isOpenNow, fault, onNear, onOpenNow, onClear } = props;
  const { text, locale } = speech;
  return (
    <>
      <div class="tools">
        <button type="button" aria-pressed={isNear} onClick={onNear}>
          {text("shop.near")}
        </button>
        {columns.some(({ role }) => role === "hours") && (
          <label>
            <input
              type="checkbox"
              checked={isOpenNow}
              onChange={({ currentTarget }) => onOpenNow(currentTarget.checked)}
            />
            {text("hours.openNow")}
          </label>
        )}
      </div>
      {fault && <p role="alert">{text(fault)}</p>}
      {filters.length > 0 && (
        <details>
          <summary>
            {text("form.filters")}
            {chosen.size > 0 && <span class="badge">{chosen.size.toLocaleString(locale)}</span>}
          </summary>
          <div class="fields">
            {filters.map((filter) => (
              <Field key={filter.name} filter={filter} {...props} />
            ))}
            {chosen.size > 0 && (
              <button type="button" onClick={onClear}>
                {text("filters.clear")}
              </button>
            )}
          </div>
        </details>
      )}
    </>
  );
}

function Field({ filter, values, chosen, speech, onFilter }: ControlsProps & { readonly filter: OwnFilter }) {
  const { text, locale } = speech;
  const { name, column, kind } = filter;
  const title = writtenName(column.name);
  const change = (of: string) => (event: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    onFilter(of, event.currentTarget.value.trim() || undefined);
  if (kind === "values" || kind === "flags") {
    const prefix = columnValue(column.name, "");
    const counted = values.flatMap(({ value, rows }) =>
      // a comma would ask for two values
      value.startsWith(prefix) && !value.includes(",") ? [{ value: value.slice(prefix.length), rows }] : [],
    );
    const flags = FLAGS.map((value) => ({ value, rows: undefined }));
    const { compare } = new Intl.Collator(locale, { numeric: true });
    const options = kind === "flags" ? flags : counted.sort((a, b) => compare(a.value, b.value));
    const shown = (value: string) => (kind === "flags" ? text(value === "true" ? "detail.yes" : "detail.no") : value);
    const present = chosen.get(name) ?? "";
    return (
      <label class="field">
        <span dir="auto">{title}</span>
        <select value={present} onChange={change(name)}>
          <option value="">{text("filter.any")}</option>
          {options.map(({ value, rows }) => (
            <option key={value} value={value}>
              {rows === undefined ? shown(value) : `${shown(value)} (${rows.toLocaleString(locale)})`}
            </option>
          ))}
          {present !== "" && !options.some(({ value }) => value === present) && (
            <option value={present}>{shown(present)}</option>
          )}
        </select>
      </label>
    );
  }
  if (kind === "words") {
    return (
      <label class="field">
        <span dir="auto">{title}</span>
        <input type="search" value={chosen.get(name) ?? ""} onChange={change(name)} />
      </label>
    );
  }
  const type = kind === "date" ? "date" : "number";
  const max = name.replace(/_min$/, "_max");
  return (
    <fieldset class="field">
      <legend dir="auto">{title}</legend>
      {[[name, "filter.from"] as const, [max, "filter.to"] as const].map(([of, key]) => (
        <input
          key={of}
          type={type}
          step="any"
          aria-label={text(key)}
          placeholder={text(key)}
          value={chosen.get(of) ?? ""}
          onChange={change(of)}
        />
      ))}
    </fieldset>
  );
}

interface ListProps {
  readonly features: readonly Feature[];
  readonly speech: Speech;
  readonly hours: ReadonlyMap<string, HoursAnswer>;
  readonly active: string | undefined;
  readonly onActive: (id: string) => void;
  readonly onSelect: (feature: Feature) => void;
}

const MOVES: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** A list with one row in the Tab order. Arrow keys, Home and End move to other rows. */
function List({ features, speech, hours, active, onActive, onSelect }: ListProps) {
  const list = useRef<HTMLUListElement>(null);
  const { text, locale } = speech;
  if (features.length === 0) return <p class="none">{text("results.none")}</p>;
  const move = (event: KeyboardEvent) => {
    const next = MOVES[event.key]?.(
      features.findIndex(({ id }) => id === active),
      features.length - 1,
    );
    if (next === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>("button")[next]?.focus();
  };
  return (
    <ul class="list" ref={list} aria-label={text("results.list")} onKeyDown={move}>
      {features.map((feature, index) => {
        const open = hours.get(feature.id);
        const subtitle = subtitleOf(feature);
        return (
          <li key={feature.id}>
            <button
              type="button"
              tabIndex={feature.id === active ? 0 : -1}
              onFocus={() => feature.id !== active && onActive(feature.id)}
              onClick={() => onSelect(feature)}
            >
              <span class="number" aria-hidden="true">
                {(index + 1).toLocaleString(locale)}
              </span>
              <span class="row">
                <span class="title" dir="auto">
                  {titleOf(feature, speech)}
                </span>
                {subtitle !== "" && (
                  <span class="quiet" dir="auto">
                    {subtitle}
                  </span>
                )}
                {open && (
                  <span class="open" data-open={open.isOpen}>
                    {text(open.isOpen ? "hours.openNow" : "hours.closedNow")}
                  </span>
                )}
              </span>
              <span class="distance">{distanceText(feature, speech)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

interface DetailProps {
  readonly feature: Feature;
  readonly columns: readonly OwnColumn[];
  readonly speech: Speech;
  readonly hours: HoursAnswer | undefined;
  readonly onClose: () => void;
}

function Detail({ feature, columns, speech, hours, onClose }: DetailProps) {
  const { text } = speech;
  const back = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => back.current?.focus(), []);
  const title = titleOf(feature, speech);
  const subtitle = [subtitleOf(feature), distanceText(feature, speech)].filter(Boolean);
  const hoursText = roleText(feature, columns, "hours");
  const description = roleText(feature, columns, "description");
  const directions = directionsTo(feature);
  const contacts = contactsIn(feature.properties, ["phones", "websites", "emails"]);
  const facts = factsOf(feature, columns, speech);
  return (
    <article
      class="detail"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <button type="button" class="back" ref={back} onClick={onClose}>
        {text("detail.back")}
      </button>
      <h2 dir="auto">{title}</h2>
      <p class="quiet">
        {subtitle.map((part, at) => (
          <>
            {at > 0 && " · "}
            <bdi>{part}</bdi>
          </>
        ))}
      </p>
      {directions !== undefined && (
        <p>
          <a class="button" href={directions} target="_blank" rel="noopener noreferrer">
            {text("detail.route")}
          </a>
        </p>
      )}
      {hours && <Week hours={hours} speech={speech} />}
      {!hours && hoursText !== undefined && <p dir="auto">{`${text("hours.title")}: ${hoursText}`}</p>}
      {description !== undefined && <p dir="auto">{description}</p>}
      <ContactList contacts={contacts} label={text("detail.contacts")} />
      {facts.length > 0 && (
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt dir="auto">{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}

function Week({ hours, speech }: { readonly hours: HoursAnswer; readonly speech: Speech }) {
  const { text } = speech;
  const change = changeText(hours, speech);
  return (
    <div>
      <p class="open" data-open={hours.isOpen}>
        <strong>{text(hours.isOpen ? "hours.openNow" : "hours.closedNow")}</strong>
        {change && ` · ${change}`}
      </p>
      <details>
        <summary>{text("hours.title")}</summary>
        <HoursTable hours={hours} words={speech} />
      </details>
    </div>
  );
}
