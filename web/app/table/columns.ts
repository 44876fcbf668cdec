/** Columns of the table of results, from the records in the list. @module */
import { writtenName } from "../../../data/format/own-collections.ts";
import type { Feature, Json } from "../../engine/index.ts";
import { columnsOf } from "../address/index.ts";
import {
  columnText,
  distanceOf,
  formatDistance,
  kindText,
  listOf,
  recordAddresses,
  recordKind,
  recordTitle,
  text,
  textOf,
} from "../text/index.ts";

export interface TableColumn {
  readonly name: string;
  readonly title: string;
  /** Returns the cell as it is shown and copied; empty without a value. */
  readonly textOf: (record: Feature) => string;
  /** Returns the value by which rows are ordered; by default the text. */
  readonly keyOf?: (record: Feature) => number | string | undefined;
}

/** Number of first records whose columns are offered. */
const MOST_READ = 500;
/** Properties that are internal, or shown in other columns. */
const OTHERS = new Set(["id", "theme", "type", "version", "ext_distance", "ext_name", "level"]);
const WORDS = new Set(["subtype", "class", "subclass", "operating_status", "basic_category"]);

const contact = (name: string): TableColumn => ({
  name,
  title: columnText(name),
  textOf: ({ properties }) => textOf(listOf(properties[name])[0]) ?? "",
});

/**
 * Returns the columns that have a value in one of the first 500 records: those that every kind has first, such as name and
 * distance.
 */
export function columnsIn(path: string, records: readonly Feature[]): readonly TableColumn[] {
  const known: readonly TableColumn[] = [
    { name: "name", title: columnText("name"), textOf: recordTitle },
    { name: "kind", title: text("property.type"), textOf: recordKind },
    {
      name: "distance",
      title: text("table.distance"),
      textOf: (record) => {
        const meters = distanceOf(record);
        return meters === undefined ? "" : formatDistance(meters);
      },
      keyOf: distanceOf,
    },
    { name: "address", title: text("kind.address"), textOf: (record) => recordAddresses(record)[0]?.join(", ") ?? "" },
    contact("phones"),
    contact("websites"),
    contact("emails"),
  ];
  const own = new Set(columnsOf(path).map(({ name }) => name));
  const first = records.slice(0, MOST_READ);
  const scalars = new Set<string>();
  for (const { properties } of first) {
    for (const [name, value] of Object.entries(properties)) {
      if (!OTHERS.has(name) && value !== null && typeof value !== "object") scalars.add(name);
    }
  }
  const others = Array.from(
    scalars,
    (name): TableColumn => ({
      name,
      title: own.has(name) ? writtenName(name) : columnText(name),
      textOf: ({ properties }) => cellText(name, properties[name] ?? null),
      keyOf: ({ properties }) => {
        const value = properties[name];
        return typeof value === "number" ? value : textOf(value);
      },
    }),
  );
  return [...known, ...others].filter((column) => first.some((record) => column.textOf(record) !== ""));
}

function cellText(name: string, value: Json): string {
  if (typeof value === "boolean") return text(value ? "detail.yes" : "detail.no");
  if (typeof value === "string" && WORDS.has(name)) return kindText(value);
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
}

/** Returns the records ordered by a column. Those without a value come last in both directions. */
export function sortedBy(
  records: readonly Feature[],
  { textOf: shown, keyOf = shown }: TableColumn,
  { isDescending, language }: { readonly isDescending: boolean; readonly language: string },
): readonly Feature[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const turn = isDescending ? -1 : 1;
  return records
    .map((record) => ({ record, key: keyOf(record) }))
    .sort((a, b) => {
      const [isA, isB] = [a.key, b.key].map((key) => key !== undefined && key !== "");
      if (!isA || !isB) return Number(isB) - Number(isA);
      if (typeof a.key === "number" && typeof b.key === "number") return turn * (a.key - b.key);
      return turn * compare(String(a.key), String(b.key));
    })
    .map(({ record }) => record);
}

/** Returns the records as lines of cells separated by tabs, as spreadsheets paste them, below a line of titles. */
export function tabbed(records: readonly Feature[], columns: readonly TableColumn[]): string {
  const plain = (cell: string) => cell.replace(/[\t\r\n]+/g, " ");
  const lines = [
    columns.map(({ title }) => title),
    ...records.map((record) => columns.map((each) => each.textOf(record))),
  ];
  return lines.map((line) => line.map(plain).join("\t")).join("\n");
}
