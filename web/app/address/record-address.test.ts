import { describe, expect, test } from "vitest";
import {
  addressOfRecord,
  formatRecordAddress,
  parseRecordAddress,
  pointedAddressOf,
  recordRestAddress,
} from "./record-address.ts";
import { formatPageState, parsePageState } from "./search.ts";

describe("a record's URL", () => {
  test.each(["8e7f4543-67ae-41fd", "a/b?c#d&e=f", "été", "%"])("contains the id %j", (id) => {
    const address = { type: "place", id } as const;
    expect(parseRecordAddress(formatRecordAddress(address))).toEqual(address);
    expect(parseRecordAddress(`${formatRecordAddress(address)}?view=3/1/2`)).toEqual(address);
    const pointed = { ...address, at: { lon: -7.4246, lat: 43.738449 } };
    const view = { zoom: 3, lat: 1, lon: 2 };
    expect(parsePageState(formatRecordAddress(pointed))).toMatchObject({ alone: pointed, refused: [] });
    expect(parsePageState(formatPageState({ alone: pointed, view }))).toMatchObject({ alone: pointed, view });
  });

  test.each(["", "#/", "#/place", "#/place/", "#/places/1", "#/non-sense/1", "#/place/%E0%A4%A", "#/place?lat=1/2"])(
    "%j is not a record",
    (hash) => expect(parseRecordAddress(hash)).toBeUndefined(),
  );

  test("contains a point on the globe, or the point is refused", () => {
    for (const at of ["91,0", "0", "0,0,0", "a,b"]) {
      const { alone, refused } = parsePageState(`#/place/1?at=${at}`);
      expect([alone, refused]).toEqual([{ type: "place", id: "1" }, [`at=${at}`]]);
    }
  });

  test("follows from the type of the record", () => {
    const geometry = { type: "Point", coordinates: [0, 0] } as const;
    const feature = { id: "1", type: "Feature", geometry, properties: { type: "division_area" } } as const;
    expect(addressOfRecord(feature)).toEqual({ type: "division_area", id: "1" });
    expect(addressOfRecord({ ...feature, properties: {} })).toBeUndefined();
    expect(pointedAddressOf(feature)).toEqual({ type: "division_area", id: "1", at: { lon: 0, lat: 0 } });
    expect(pointedAddressOf({ ...feature, properties: {} })).toBeUndefined();
  });
});

test.each([
  ["place", "places/1"],
  ["building_part", "buildings/1"],
  ["connector", "transportation/1"],
  ["division", "divisions/1"],
  ["water", "base/1"],
  ["address", "addresses/1"],
] as const)("a %s is served by %s", (type, address) => {
  expect(recordRestAddress({ type, id: "1" })).toBe(address);
});
