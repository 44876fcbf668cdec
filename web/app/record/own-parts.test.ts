import { expect, test } from "vitest";
import type { OwnColumn } from "../../../data/format/own-schema.ts";
import { describeOwnPaths } from "../address/index.ts";
import { ownParts } from "./own-parts.ts";

const COLUMNS: readonly OwnColumn[] = [
  { name: "sales", type: "number" },
  { name: "since", type: "integer" },
  { name: "opened", type: "date" },
  { name: "checked", type: "date", role: "date" },
  { name: "more", type: "json" },
  { name: "note", type: "text" },
  { name: "times", type: "text", role: "hours" },
];

test("amounts and days are in the format of the language, years and codes as they are", () => {
  const bbox = [8, 49, 9, 50] as const;
  const described = {
    name: "shops",
    schema: { columns: COLUMNS },
    rows: 1,
    countries: { DE: 1 },
    bbox,
    focus: undefined,
  };
  describeOwnPaths({ collections: [{ ...described, namesBytes: 0 }] });
  const properties = {
    type: "shops",
    sales: 456_789.1,
    since: 20_114,
    opened: "2011-05-02",
    checked: null,
    more: '{"a":1}',
    note: "2011-05-02",
    times: "Mo-Fr 09:00-17:00",
  };
  expect(ownParts(properties)).toEqual({
    hours: "Mo-Fr 09:00-17:00",
    image: undefined,
    description: undefined,
    others: {
      sales: "456,789.1",
      since: 20_114,
      opened: "May 2, 2011",
      checked: null,
      more: { a: 1 },
      note: "2011-05-02",
    },
  });
  expect(ownParts({ ...properties, type: "place" })).toBeUndefined();
});
