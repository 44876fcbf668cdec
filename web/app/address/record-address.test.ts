import { describe, expect, test } from "vitest";
import { addressOfRecord, formatRecordAddress, parseRecordAddress, recordRestAddress } from "./record-address.ts";

describe("a record's address", () => {
  test.each(["8e7f4543-67ae-41fd", "a/b?c#d&e=f", "été", "%"])("holds the id %j", (id) => {
    const address = { type: "place", id } as const;
    expect(parseRecordAddress(formatRecordAddress(address))).toEqual(address);
    expect(parseRecordAddress(`${formatRecordAddress(address)}?view=3/1/2`)).toEqual(address);
  });

  test.each(["", "#/", "#/place", "#/place/", "#/places/1", "#/nonsense/1", "#/place/%E0%A4%A", "#/place?lat=1/2"])(
    "%j names no record",
    (hash) => expect(parseRecordAddress(hash)).toBeUndefined(),
  );

  test("comes from the record's own type", () => {
    const geometry = { type: "Point", coordinates: [0, 0] } as const;
    const feature = { id: "1", type: "Feature", geometry, properties: { type: "division_area" } } as const;
    expect(addressOfRecord(feature)).toEqual({ type: "division_area", id: "1" });
    expect(addressOfRecord({ ...feature, properties: {} })).toBeUndefined();
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
