import { expect, test } from "vitest";
import { EVERY_ROW, type RowCondition } from "../../../engine/index.ts";
import { scanCondition } from "./scan-conditions.ts";

const box = (member: "xmin" | "xmax" | "ymin" | "ymax", comparison: "<=" | ">=" | ">" | "<", value: number) =>
  ({ kind: "box", member, comparison, value }) as const;
const country = (value: string, comparison: "=" | "!=" = "=") => ({ kind: "country", comparison, value }) as const;
const all = (...of: RowCondition[]): RowCondition => ({ kind: "all", of });
const any = (...of: RowCondition[]): RowCondition => ({ kind: "any", of });

test.each<[string, readonly string[], RowCondition]>([
  ["no condition", [], EVERY_ROW],
  ["comparisons", ["bbox.xmin>7.0 AND bbox.xmax<8.0"], all(box("xmin", ">", 7), box("xmax", "<", 8))],
  ["a country", ["country='MC'"], country("MC")],
  ["both columns", ["bbox.ymin<=-7.25", "country='MC'"], all(box("ymin", "<=", -7.25), country("MC"))],
  ["a list", ["optional: country IN ('US', 'C''A')"], any(country("US"), country("C'A"))],
  ["one of two", ["optional: country='US' OR country='MC'"], any(country("US"), country("MC"))],
  [
    "a list among others",
    ["country!='C' AND optional: country IN ('A', 'B')"],
    all(country("C", "!="), any(country("A"), country("B"))),
  ],
  [
    "brackets",
    [
      "bbox.ymin<=3.0 AND (((struct_extract(bbox, 'xmin') <= 7.0) AND (struct_extract(bbox, 'xmax') >= 3.0)) OR (struct_extract(bbox, 'xmin') > struct_extract(bbox, 'xmax')))",
    ],
    all(box("ymin", "<=", 3), any(all(box("xmin", "<=", 7), box("xmax", ">=", 3)), { kind: "crossing" })),
  ],
  ["a constant first", ["(7.0 <= struct_extract(bbox, 'xmin'))"], box("xmin", ">=", 7)],
  [
    "tiny and huge numbers",
    ["bbox.xmin>1e-07 AND bbox.xmin<1e1000"],
    all(box("xmin", ">", 1e-7), box("xmin", "<", Infinity)),
  ],
  [
    "a function with known conditions",
    ["bbox.xmin>1.0 AND (array_extract(bbox, 'xmin') > 7.0)"],
    all(box("xmin", ">", 1), EVERY_ROW),
  ],
  [
    "an unknown in an alternative",
    ["((struct_extract(bbox, 'xmin') > 3.0) OR (lower(country) = 'mc'))"],
    any(box("xmin", ">", 3), EVERY_ROW),
  ],
])("%s", (_, texts, condition) => {
  expect(scanCondition(texts)).toEqual(condition);
});

test.each<[string, readonly string[]]>([
  ["a value that looks like a condition", ["names.primary='bbox.xmin>7.0'"]],
  ["a value with a line end, cut in pieces that look like conditions", ["id='x", "bbox.xmin>3", "y'"]],
  ["quotes in a value with a line end", ["id='it''s", "country='MC'", "'"]],
  ["another column", ["rowid=3"]],
  ["another member", ["bbox.area>3.0"]],
  ["a text where a number belongs", ["bbox.xmin>'nan'::DOUBLE"]],
  ["a negation", ["NOT country='MC'"]],
  ["no value", ["(country IS NULL)"]],
  ["a truncated text", ["(country='MC'"]],
  ["a name in quotes", ["\"country\"='MC'"]],
  ["a struct", ["(bbox = {'xmin': 1.0, 'xmax': 2.0})"]],
])("%s gives no condition", (_, texts) => {
  const condition = scanCondition(texts);
  expect(["box", "country", "crossing", "any"]).not.toContain(condition.kind);
  expect(JSON.stringify(condition)).not.toMatch(/value|any/);
});
