import { expect, test, vi } from "vitest";
import type { Feature } from "../../engine/index.ts";

vi.stubGlobal("navigator", { languages: ["en"] });
const { columnsIn, sortedBy, tabbed } = await import("./columns.ts");

const building = (id: string, height: number | null, name: string): Feature =>
  ({
    id,
    type: "Feature",
    geometry: { type: "Point", coordinates: [0, 0] },
    properties: { theme: "buildings", type: "building", names: { primary: name }, height, has_parts: false },
  }) as unknown as Feature;

const RECORDS = [building("a", 9, "Ångström\tHall"), building("b", null, "Zoo"), building("c", 30, "Abbey")];
const columns = columnsIn("buildings", RECORDS);
const named = (name: string) => {
  const column = columns.find((each) => each.name === name);
  if (!column) throw new Error(`no column ${name}`);
  return column;
};

test("only columns with a value are offered, those for people first", () => {
  expect(columns.map(({ name }) => name)).toEqual(["name", "kind", "height", "has_parts"]);
  expect(columns.map(({ title }) => title)).toEqual(["Name", "Type", "Height", "Has parts"]);
});

test("rows without a value come last in both directions", () => {
  const ids = (isDescending: boolean) =>
    sortedBy(RECORDS, named("height"), { isDescending, language: "en" }).map(({ id }) => id);
  expect(ids(false)).toEqual(["a", "c", "b"]);
  expect(ids(true)).toEqual(["c", "a", "b"]);
  expect(sortedBy(RECORDS, named("name"), { isDescending: false, language: "en" }).map(({ id }) => id)).toEqual([
    ...["c", "a", "b"],
  ]);
});

test("copied cells contain no tab", () => {
  expect(tabbed(RECORDS.slice(0, 2), [named("name"), named("height")])).toBe("Name\tHeight\nÅngström Hall\t9\nZoo\t");
});
