import { expect, test } from "vitest";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import type { At, Change, SmallRow } from "../../testing/small-dataset/index.ts";
import { expectFaults, type Mutation, only } from "./testing.ts";

const newFolder = temporaryFolders();

const FIRST = { country: "JP", run: "location", index: 0 };
const isPack = ({ country, run, index }: At): boolean => country === "JP" && run === undefined && index === 0;

/** Changes the SQL of the first slice's columns. */
const columns = (from: string | RegExp, to: string): Change => ({
  columns: (sql, at) => only({ ...at }, FIRST, sql, (text) => text.replace(from, to)),
});

/** Changes the entry `geo` of the first slice or pack. */
const geo = (part: "slice" | "pack", changeTo: (geo: Geo) => void): Change => ({
  entries: (entries, at) => {
    if (part === "slice" ? at.run !== "location" || at.index !== 0 : !isPack(at)) return entries;
    const value = JSON.parse(entries.geo ?? "{}") as Geo;
    changeTo(value);
    return { ...entries, geo: JSON.stringify(value) };
  },
});

interface Geo {
  version: string;
  columns: {
    geometry: { encoding: string; geometry_types: string[]; bbox: number[]; crs?: unknown; covering?: unknown };
  };
}

const cells = (country: string, changeTo: (cells: (readonly SmallRow[])[]) => (readonly SmallRow[])[]): Change => ({
  cells: (value, at) => only({ ...at }, { country }, value, (own) => changeTo([...own])),
});

const node = (changeTo: (node: Readonly<Record<string, unknown>>) => object): Change => ({
  node: (value, at) => only({ ...at }, FIRST, value, (own) => ({ ...own, ...changeTo(own) })),
});

const SLICE = /^place\/country=JP\/geohash=\w+\/\w+\.parquet, slice at \d+/.source;
const PACK = /^place\/country=JP\/geohash=\w+\/\w+\.parquet/.source;
const POINTS = /^place\/_points\/\w+\.pack, slice at \d+/.source;
const ofSlice = (text: string) => new RegExp(`${SLICE}: ${text}`);
const ofPack = (text: string) => new RegExp(`${PACK}: ${text}`);
const ofPoints = (text: string) => new RegExp(`${POINTS}: ${text}`);

/** The same geometry with one changed bit. */
function nudge(bytes: Uint8Array): Uint8Array {
  const other = bytes.slice();
  other[other.length - 1] = (other[other.length - 1] ?? 0) ^ 1;
  return other;
}

const MUTATIONS: readonly Mutation[] = [
  [
    "a slice that is no Parquet file",
    { slice: (bytes, at) => only({ ...at }, FIRST, bytes, (own) => own.slice().fill(0, -4)) },
    ofSlice("cannot be read: no Parquet file"),
  ],
  [
    "a footer that claims to be longer than its slice",
    {
      slice: (bytes, at) =>
        only({ ...at }, FIRST, bytes, (own) => {
          const other = own.slice();
          new DataView(other.buffer).setUint32(own.length - 8, 1e6, true);
          return other;
        }),
    },
    ofSlice("cannot be read: a footer of 1000000 bytes in a file of"),
  ],
  [
    "a joint footer that leaves a row group out",
    { joint: (footer, at) => (isPack(at) ? { ...footer, row_groups: footer.row_groups.slice(1) } : footer) },
    ofPack("its joint footer names 2 row groups of \\d+ rows, its slices have 3"),
  ],
  [
    "a joint footer with row groups in another order",
    { joint: (footer, at) => (isPack(at) ? { ...footer, row_groups: footer.row_groups.toReversed() } : footer) },
    ofPack("its joint footer differs in row group 0, num_rows expected"),
  ],
  [
    "a joint footer whose offsets were not moved",
    {
      joint: (footer, at) => {
        const [first, second, ...others] = footer.row_groups;
        const data = second?.columns[0]?.meta_data;
        if (!isPack(at) || !first || !second || !data) return footer;
        const base = (data.dictionary_page_offset ?? data.data_page_offset) - 4n;
        const columns = second.columns.map((column) => ({
          ...column,
          ...(column.meta_data
            ? { meta_data: { ...column.meta_data, data_page_offset: column.meta_data.data_page_offset - base } }
            : {}),
        }));
        return { ...footer, row_groups: [first, { ...second, columns }, ...others] };
      },
    },
    ofPack("its joint footer differs in row group 1, column id, data_page expected"),
  ],
  [
    "a joint footer with a bound cut short",
    {
      joint: (footer, at) => {
        const bounds = footer.row_groups[0]?.columns[0]?.meta_data?.statistics;
        if (isPack(at) && bounds) bounds.max_value = new TextEncoder().encode("jp-0");
        return footer;
      },
    },
    ofPack("its joint footer differs in row group 0, column id, max expected"),
  ],
  [
    "a joint footer that counts other rows",
    { joint: (footer, at) => (isPack(at) ? { ...footer, num_rows: footer.num_rows + 1n } : footer) },
    ofPack("its joint footer names 3 row groups of \\d+ rows"),
  ],
  [
    "a codec that readers do not expect",
    { options: (sql, at) => only({ ...at }, FIRST, sql, (own) => own.replace("zstd", "snappy")) },
    ofSlice('codecs expected \\["ZSTD"\\]'),
  ],
  [
    "a column of another type in one slice",
    columns('"version"', '"version"::BIGINT AS version'),
    ofPack("its joint footer differs in row group 1, column version, min expected"),
    /its schema is not that of the pack/,
    ofPack('column 4 expected "version INTEGER", got "version BIGINT"'),
  ],
  [
    "a column of another type in all slices",
    { columns: (sql) => sql.replace('"version"', '"version"::BIGINT AS version') },
    /^place\/country=..\/.*parquet: column 4 expected "version INTEGER", got "version BIGINT"/,
  ],
  [
    "a column too many",
    { columns: (sql) => `${sql}, 1 AS country` },
    /column 18 expected "none", got "country INTEGER"/,
  ],
  [
    "another bbox than the geometry's",
    columns(
      '"bbox"',
      "struct_pack(xmin := bbox.xmin, xmax := bbox.xmax + 1e-9, ymin := bbox.ymin, ymax := bbox.ymax) AS bbox",
    ),
    ofSlice("\\d+ rows whose bbox or plain WKB does not match the geometry, such as row 0 \\(jp-"),
  ],
  [
    "WKB with a byte too many",
    columns("from_hex(geometry)", "from_hex(geometry || '00')"),
    ofSlice("\\d+ rows whose bbox or plain WKB"),
  ],
  [
    "a geometry that cannot be read",
    columns("from_hex(geometry)", "from_hex('0101')"),
    ofSlice("\\d+ rows without a sound geometry or id, such as row 0 .*unreadable"),
  ],
  [
    "an id that is missing",
    columns('"id"', "CASE WHEN row_number() OVER () > 1 THEN id END AS id"),
    ofSlice("1 rows without a sound geometry or id, such as row 0 \\(null\\): missing id"),
  ],
  [
    "rows out of order",
    cells("JP", ([first = [], ...others]) => [
      [...first.slice(0, 1), ...first.slice(1, 3).toReversed(), ...first.slice(3)],
      ...others,
    ]),
    ofSlice("1 rows not after the one before, such as row 2 \\(jp-"),
  ],
  [
    "slices out of order",
    cells("JP", ([first = [], second = [], ...others]) => [second, first, ...others]),
    ofSlice("is not stored after the previous slice, place/"),
  ],
  [
    "a row in the cell of its neighbour",
    cells("JP", ([first = [], second = [], ...others]) => [
      [...first, ...second.slice(0, 1)],
      second.slice(1),
      ...others,
    ]),
    ofSlice("its cell overlaps place/"),
  ],
  [
    "two cells that overlap",
    cells("JP", ([first = [], second = [], ...others]) => [
      [...first.slice(0, -1), ...second.slice(-1)],
      [...first.slice(-1), ...second.slice(0, -1)],
      ...others,
    ]),
    ofSlice("does not come after place/"),
    ofSlice("its cell overlaps "),
  ],
  [
    "a row twice",
    cells("JP", ([first = [], ...others]) => [[...first.slice(0, 1), ...first], ...others]),
    ofSlice("1 rows not after the one before"),
    /^place: 2 rows have the id of another, such as jp-\d+ of JP$/,
    /^place: 1 records have no entry of ids, such as jp-\d+ of JP$/,
    ofPoints("2 records are elsewhere"),
    /^place: \d+ terms have not the rows that they should/,
    /^place: count_cell run: \d+ counts are (missing|wrong or have no row)/,
    /^place: count_\w+ run: \d+ rows are wrong/,
    /^manifest.json: place countries expected/,
    /^manifest.json: place rows expected/,
  ],
  [
    "a row under another country",
    {
      cells: (value, { country }) => {
        const moved = (rows: readonly SmallRow[]) =>
          country === "JP" ? rows.filter(({ id }) => id !== "jp-000") : rows;
        return value.map(moved);
      },
    },
    /^place: 1 entries of ids have no record, such as number 0 of JP$/,
    /^place\/_ids\/\w+\.pack, slice at 0: (first_id|bbox) expected/,
    /^place: find run: 1 rows are no id's/,
    /^place: \d+ terms have not the rows/,
    /^place: \d+ terms of the term run should not be there/,
    /^place: count_\w+ run: /,
    /^manifest.json: place (rows|countries) expected/,
  ],
  [
    "a node that counts another row",
    node(({ rows }) => ({ rows: Number(rows) + 1 })),
    ofSlice("rows expected \\d+, got \\d+"),
    ofPoints("rows expected \\d+, got \\d+"),
  ],
  [
    "an index that lists sections of points with another box",
    node(({ points }) => ({ points: { ...(points as object), sections: "DAEAAAAA" } })),
    ofPoints('sections expected "DAEAAAAA", got ""'),
  ],
  ["a node with another geohash", node(() => ({ geohash: "xn8" })), ofSlice('geohash expected "xn\\w+", got "xn8"')],
  [
    "a node with another box",
    node(() => ({ bbox: [139, 35, 140, 36] })),
    ofSlice("bbox of all rows expected"),
    ofPack("geo has bbox"),
  ],
  [
    "geo of a slice with another box",
    geo("slice", ({ columns: { geometry } }) => geometry.bbox.reverse()),
    ofSlice("geo has bbox"),
  ],
  [
    "geo of a slice with other kinds",
    geo("slice", ({ columns: { geometry } }) => geometry.geometry_types.push("Polygon")),
    ofSlice('geo has geometry_types \\["Point","Polygon"\\]'),
  ],
  [
    "geo of a slice without covering",
    geo("slice", ({ columns: { geometry } }) => delete geometry.covering),
    ofSlice("geo has covering"),
  ],
  [
    "geo of a pack of another version",
    geo("pack", (value) => (value.version = "1.0.0")),
    ofPack('geo has version "1.0.0", expected "1.1.0"'),
  ],
  [
    "geo of a pack with a crs",
    geo("pack", ({ columns: { geometry } }) => (geometry.crs = null)),
    ofPack('geo has crs null, expected "none"'),
  ],
  [
    "geo of a pack with another box",
    geo("pack", ({ columns: { geometry } }) => (geometry.bbox = [0, 0, 1, 1])),
    ofPack("geo has bbox \\[0,0,1,1\\]"),
  ],
  [
    "an entry cairn of another country",
    {
      entries: (entries, at) =>
        only({ ...at }, FIRST, entries, (own) => ({ ...own, cairn: (own.cairn ?? "").replace("JP", "MC") })),
    },
    ofSlice('cairn is .*"country":"MC".*, expected'),
  ],
  [
    "a pack without the entry cairn",
    { entries: ({ geo: own = "", ...others }, at) => (isPack(at) ? { geo: own } : { geo: own, ...others }) },
    ofPack("cairn is .*, expected"),
  ],
  [
    "a geometry of the points one bit aside",
    {
      points: (rows, at) =>
        only({ ...at }, FIRST, rows, ([first, ...others]) =>
          first ? [{ ...first, geometry: nudge(first.geometry) }, ...others] : [],
        ),
    },
    ofPoints("1 geometries differ from place/country=JP/.*, such as row 0 \\(jp-"),
  ],
  [
    "a number of the points that is another row's",
    {
      points: (rows, at) =>
        only({ ...at }, FIRST, rows, ([first, ...others]) =>
          first ? [{ ...first, number: first.number + 1 }, ...others] : [],
        ),
    },
    ofPoints("1 numbers differ from the ids, such as row 0 \\(jp-"),
  ],
  [
    "points without a row",
    { points: (rows, at) => only({ ...at }, FIRST, rows, (own) => own.slice(1)) },
    ofPoints("cannot be read: points have 2 rows, their groups 3"),
  ],
  [
    "points with WKB where TWKB would do",
    {
      points: (rows, at) =>
        only({ ...at }, FIRST, rows, (own) =>
          own.map((row) => ({ ...row, geometry: writeWkb({ type: "Point", coordinates: [139.75, 35.68] }) })),
        ),
    },
    ofPoints("row \\d has WKB where a shorter encoding has every coordinate"),
    ofPoints("\\d geometries differ from "),
  ],
];

test.each(MUTATIONS.map((mutation) => [mutation[0], mutation] as const))("%s", async (_, mutation) => {
  await expectFaults(await newFolder(), ["place"], mutation);
});

test("several size classes in one slice", async () => {
  const change: Change = { cells: (value) => [value.flat()] };
  await expectFaults(
    await newFolder(),
    ["division_area"],
    ["", change, /^division_area\/country=..\/.*, slice at 0: size classes \d and \d in one slice$/],
  );
});

test("row groups of another size", async () => {
  const many = (rows: readonly SmallRow[]) =>
    Array.from({ length: 2100 }, (_, i) => ({ ...(rows[0] as SmallRow), id: `x-${String(i).padStart(5, "0")}` }));
  const change: Change = {
    cells: (value, { country }) => (country === "JP" ? [many(value[0] ?? []), ...value.slice(1)] : value),
    options: (sql) => sql.replace("2048", "4096"),
  };
  await expectFaults(
    await newFolder(),
    ["division"],
    [
      "",
      change,
      /^division\/country=JP\/.*: rows of its row groups expected \[2048,52\], got \[2100\]$/,
      /^division: 2\d{3} records have no entry of ids, such as x-\d+ of JP$/,
      /^division/,
      /^manifest.json: division (rows|countries|bbox) expected/,
    ],
  );
  expect(many([]).length).toBe(2100);
});
