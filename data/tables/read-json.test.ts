import { describe, expect, test } from "vitest";
import { read } from "./testing/read.ts";

describe("answers of services", () => {
  const row = { name: "A", lat: 1, lng: 2 };
  const feature = { type: "Feature", geometry: { type: "Point", coordinates: [2, 1] }, properties: { name: "A" } };
  const esri = { attributes: { name: "A" }, geometry: { x: 2, y: 1 } };
  const left = "the service left out rows (exceededTransferLimit): ask it for all of them";
  test.each([
    [{ response: { venues: [row], confirmed: true } }, ["rows are the members of response.venues"]],
    [{ d: { results: [row] }, count: 1 }, ["rows are the members of d.results"]],
    [
      { type: "FeatureCollection", features: [feature], numberMatched: 9 },
      ["the file has 1 of the 9 rows of its service: ask the service for all of them"],
    ],
    [{ type: "FeatureCollection", features: [feature], numberMatched: 1 }, undefined],
    [{ type: "FeatureCollection", features: [feature], properties: { exceededTransferLimit: true } }, [left]],
    [{ features: [esri], exceededTransferLimit: true }, [left]],
  ])("%j", async (value, notes) => {
    const found = await read("a.json", JSON.stringify(value));
    expect(found).toEqual({ columns: ["name: text"], rows: [["POINT (2 1)", "A"]], ...(notes && { notes }) });
  });

  test.each([
    [{ columns: ["name", "lat", "lng"], index: [0], data: [["A", 1, 2]] }, ["name: text"], ["A"]],
    [{ meta: [{ name: "name" }, { name: "lat" }, { name: "lng" }], data: [["A", 1, 2]] }, ["name: text"], ["A"]],
    [
      { meta: { view: { columns: [{ name: "name" }, { name: "lat" }, { name: "lng" }] } }, data: [["A", "1", "2"]] },
      ["name: text"],
      ["A"],
    ],
    [{ "-Na": { name: "A", lat: 1, lng: 2 } }, ["key: text", "name: text"], ["-Na", "A"]],
    [
      {
        results: {
          bindings: [{ name: { type: "literal", value: "A" }, at: { type: "literal", value: "Point(2 1)" } }],
        },
      },
      ["name: text"],
      ["A"],
    ],
    [
      {
        results: [
          { name: "A", geometry: { location: { lat: 1, lng: 2 }, viewport: { northeast: { lat: 3, lng: 4 } } } },
        ],
      },
      ["name: text", "geometry: json"],
      ["A", { location: { lat: 1, lng: 2 }, viewport: { northeast: { lat: 3, lng: 4 } } }],
    ],
  ])("%j", async (value, columns, values) => {
    expect(await read("a.json", JSON.stringify(value))).toMatchObject({ columns, rows: [["POINT (2 1)", ...values]] });
  });

  test.each([{ error: { code: 400, message: "Invalid URL" } }, { error: "Invalid URL" }, { message: "Invalid URL" }])(
    "%j is an error of a service",
    async (value) => {
      expect(await read("a.json", JSON.stringify(value))).toEqual({
        error: "the file is an error of a service: Invalid URL",
      });
    },
  );

  test("rows may have columns named message and error", async () => {
    const rows = [
      { message: "hello", ...row },
      { error: "none", ...row },
    ];
    expect(await read("a.json", JSON.stringify(rows))).toMatchObject({
      columns: ["message: text", "name: text", "error: text"],
      rows: [
        ["POINT (2 1)", "hello", "A", null],
        ["POINT (2 1)", null, "A", "none"],
      ],
    });
  });

  test("several lists are refused", async () => {
    expect(await read("a.json", JSON.stringify({ a: { b: [row], c: [row] } }))).toMatchObject({
      error: expect.stringMatching(/^the JSON has the members a: /),
    });
  });
});
