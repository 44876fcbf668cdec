import { expect, test } from "vitest";
import { COLLECTIONS, type CollectionName } from "../../../../data/format/collections.ts";
import { rowBothWays, type StoredBothWays, sampleBothWays } from "../../../engine/testing/both-ways.ts";
import { createWasmConsole } from "../../../engine/testing/databases.ts";
import { arrowTypeOf } from "./arrow-type.ts";
import { loadedTable } from "./loaded-rows.ts";

/** What the console shows of both, stored either way. */
async function shownBothWays(name: CollectionName, { plain, packed }: StoredBothWays) {
  const shown = [];
  for (const partition of [plain, packed]) {
    const console = await createWasmConsole();
    console.fill(name, new Uint8Array(loadedTable([partition], name)));
    const columns = console.tables().map(({ columns }) => columns);
    shown.push({ columns, rows: console.run(`FROM "${name}" ORDER BY id LIMIT 200`).rows });
  }
  return shown;
}

test.each(["place", "segment", "division", "land"] as const)(
  "rows of %s from the term run are shown as those of others",
  async (name) => {
    const [plain, packed] = await shownBothWays(name, await sampleBothWays(name));
    expect(plain?.rows.length).toBeGreaterThan(20);
    expect(packed).toEqual(plain);
  },
);

test("maps and lists of structs keep their values", async () => {
  const both = await rowBothWays("land", {
    source_tags: "MAP {'a': 'x', '__proto__': 'y'}",
    sources: "[{'dataset': 'd', 'between': [0.5]}, NULL]",
  });
  const [plain, packed] = await shownBothWays("land", both);
  expect(packed).toEqual(plain);
});

test("every column has an Arrow type, and what is none is refused", () => {
  for (const { columns } of Object.values(COLLECTIONS)) {
    for (const { type } of columns) expect(() => arrowTypeOf(type)).not.toThrow();
  }
  expect(() => arrowTypeOf("STRUCT(a HUGEINT)")).toThrow(/HUGEINT, expected one of VARCHAR/);
});
