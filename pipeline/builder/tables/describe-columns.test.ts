import { expect, test } from "vitest";
import type { Role } from "../../../data/format/own-schema.ts";
import { describeColumns } from "./describe-columns.ts";
import type { RowSource } from "./row-source.ts";

/** A table of text columns. */
function table(columns: Readonly<Record<string, readonly string[]>>, roles?: ReadonlyMap<string, Role>): RowSource {
  const names = Object.keys(columns);
  const [first = []] = Object.values(columns);
  return {
    format: "csv",
    crs: "EPSG:4326",
    geometryFrom: [],
    columns: names.map((name) => ({ name, type: "text" })),
    roles,
    attribution: [],
    notes: [],
    rows: async function* () {
      for (const line of first.keys()) {
        const values = names.map((name) => columns[name]?.[line] ?? "");
        yield { line, geometry: { type: "Point", coordinates: [8, 49] }, values };
      }
    },
    close: async () => undefined,
  };
}

async function nameOf(source: RowSource, asked = {}): Promise<string | undefined> {
  const { columns } = await describeColumns(source, asked);
  return columns.find(({ role }) => role === "name")?.column;
}

const CODES = ["HD-1", "HD-2", "MA-10", "MA-11", "KA-7"];
const KINDS = ["Bakery", "Café", "Bakery", "Bakery", "Café"];
const BRANCHES = ["Old Town", "West End", "Market", "Planken", "Castle Street"];
const LINKS = BRANCHES.map((_, index) => `example.org/${"branch".repeat(index + 1)}`);

test("without a known name, the first column with mostly different short texts is the name", async () => {
  expect(await nameOf(table({ Ref: CODES, Web: LINKS, Typ: KINDS, Stelle: BRANCHES, Leitung: BRANCHES }))).toBe(
    "Stelle",
  );
});

test("most rows must have the text", async () => {
  const half = ["Old Town", "West End", "", "", ""];
  expect(await nameOf(table({ Typ: KINDS, Stelle: half }))).toBeUndefined();
  const long = BRANCHES.map((branch) => `${branch}, the shop that opens early and closes late on all days of the week`);
  expect(await nameOf(table({ Typ: KINDS, Notiz: long }))).toBeUndefined();
});

test("a known or chosen name wins", async () => {
  expect(await nameOf(table({ Stelle: BRANCHES, Name: KINDS }))).toBe("Name");
  expect(await nameOf(table({ Stelle: BRANCHES, Typ: KINDS }), { name: "Typ" })).toBe("Typ");
});

test("formats that define roles have no other name", async () => {
  expect(await nameOf(table({ note: BRANCHES }, new Map()))).toBeUndefined();
});

test("ids do not depend on a guessed name alone", async () => {
  const { identity } = await describeColumns(table({ Stelle: BRANCHES, Typ: KINDS }), {});
  expect(identity).toEqual([0, 1]);
});
