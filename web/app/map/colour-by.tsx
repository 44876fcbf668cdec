/** The column by which records are coloured on the map, and the legend of the colours. @module */
import { objectOf } from "../../../data/format/json.ts";
import { writtenName } from "../../../data/format/own-collections.ts";
import type { Feature } from "../../engine/index.ts";
import {
  type ColourClass,
  type ColourValue,
  colourClasses,
  colourLegend,
  colourOf,
  inkOn,
} from "../../map/colour-classes.ts";
import type { RecordColours } from "../../map/shapes.ts";
import { columnsOf, type Path } from "../address/index.ts";
import { columnText, kindText, language, text, textOf } from "../text/index.ts";
import "../styles/colour-by.css";

/** Name for the main category of a place, which is nested in another column. */
const CATEGORY = "category";
/** Columns that are internal, or differ in each record. */
const LEFT_OUT = new Set(["id", "theme", "type", "version", "ext_distance", "ext_name", "level"]);
const WORDS = new Set([CATEGORY, "subtype", "class", "subclass", "operating_status", "basic_category"]);
/** Number of first records whose columns are offered. */
const MOST_READ = 500;

interface Colours extends RecordColours {
  readonly column: string;
  readonly legend: readonly ColourClass[];
}

/** Returns the names of the columns by which the records can be coloured, in the order of the first records. */
export function colourColumns(records: readonly Feature[]): readonly string[] {
  const first = records.slice(0, MOST_READ);
  const names = new Set<string>([CATEGORY]);
  for (const { properties } of first) {
    for (const [name, value] of Object.entries(properties)) {
      if (!LEFT_OUT.has(name) && value !== null && typeof value !== "object") names.add(name);
    }
  }
  return [...names].filter((name) => colourClasses(first.map((record) => valueIn(record, name))) !== undefined);
}

/** Returns the colours of the records by a column; undefined without a column, or if its values cannot be coloured. */
export function coloursOf(
  records: readonly Feature[],
  column: string | undefined,
  isDark: boolean,
): Colours | undefined {
  const classes = column === undefined ? undefined : colourClasses(records.map((record) => valueIn(record, column)));
  if (column === undefined || classes === undefined) return undefined;
  const legend = colourLegend(classes, isDark);
  const withInk = (value: ColourValue) => {
    const colour = colourOf(legend, value);
    return { colour, ink: inkOn(colour) };
  };
  return { column, legend, of: (record) => withInk(valueIn(record, column)), unknown: withInk(undefined) };
}

function valueIn({ properties }: Feature, column: string): ColourValue {
  const own = properties[column];
  const value =
    own === undefined && column === CATEGORY
      ? (objectOf(properties.categories)?.primary ?? objectOf(properties.taxonomy)?.primary)
      : own;
  return typeof value === "number" || typeof value === "boolean" ? value : textOf(value);
}

interface ColourByProps {
  readonly path: Path;
  readonly records: readonly Feature[];
  /** Name of the chosen column. */
  readonly column: string | undefined;
  /** Colours by the chosen column; undefined if its values cannot be coloured. */
  readonly colours: Colours | undefined;
  readonly onChange: (column: string | undefined) => void;
}

/** Selects a column, and lists what its colours mean, or says that it cannot be used. Nothing if no column can be chosen. */
export function ColourBy({ path, records, column: chosen, colours, onChange }: ColourByProps) {
  const suitable = colourColumns(records);
  const columns = chosen === undefined || suitable.includes(chosen) ? suitable : [chosen, ...suitable];
  if (columns.length === 0) return null;
  const own = new Set(columnsOf(path).map(({ name }) => name));
  const titleOf = (name: string) => (own.has(name) ? writtenName(name) : columnText(name));
  return (
    <div class="colour-by">
      <select
        aria-label={text("colour.label")}
        value={chosen ?? ""}
        onChange={({ currentTarget: { value } }) => onChange(value || undefined)}
      >
        <option value="">{text("colour.label")}</option>
        {columns.map((name) => (
          <option key={name} value={name}>
            {titleOf(name)}
          </option>
        ))}
      </select>
      {chosen !== undefined && colours && (
        <figure>
          <figcaption class="visually-hidden">{titleOf(chosen)}</figcaption>
          <ul>
            {colours.legend.map((line) => {
              const meaning = meaningOf(line, chosen);
              return (
                <li key={meaning}>
                  <span class="colour-sample" style={{ background: line.colour }} />
                  <bdi>{meaning}</bdi>
                </li>
              );
            })}
          </ul>
          <p>{text("export.listed", { count: records.length })}</p>
        </figure>
      )}
      {chosen !== undefined && !colours && records.length > 0 && (
        <p role="note">{text("colour.unsuitable", { column: titleOf(chosen) })}</p>
      )}
    </div>
  );
}

function meaningOf({ means }: ColourClass, column: string): string {
  switch (means.kind) {
    case "range": {
      const { format } = new Intl.NumberFormat(language.value, { maximumFractionDigits: 2, useGrouping: false });
      const [lowest, highest] = [format(means.lowest), format(means.highest)];
      return lowest === highest ? lowest : `${lowest}–${highest}`;
    }
    case "value":
      if (means.value === "true" || means.value === "false")
        return text(means.value === "true" ? "detail.yes" : "detail.no");
      return WORDS.has(column) ? kindText(means.value) : means.value;
    default:
      return text(means.kind === "others" ? "colour.others" : "colour.unknown");
  }
}
