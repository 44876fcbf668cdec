import { cellToChildren, cellToLatLng, getRes0Cells, isValidCell, latLngToCell } from "h3-js";
import { expect, test } from "vitest";
import { h3Centre } from "./h3.ts";

function expectSame(cell: string): void {
  const [lat, lng] = cellToLatLng(cell);
  const [foundLng = Number.NaN, foundLat = Number.NaN] = h3Centre(cell) ?? [];
  expect(Math.abs(foundLat - lat), cell).toBeLessThan(1e-8);
  const turn = Math.abs(foundLng - lng) % 360;
  expect(Math.min(turn, 360 - turn) * Math.cos((lat * Math.PI) / 180), cell).toBeLessThan(1e-8);
}

test("all cells of resolutions 0 to 3 have the middle that h3-js gives them", () => {
  for (const base of getRes0Cells())
    for (const resolution of [0, 1, 2, 3]) for (const cell of cellToChildren(base, resolution)) expectSame(cell);
});

test("cells of all resolutions have the middle that h3-js gives them", () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (let round = 0; round < 20_000; round++) {
    const lat = (Math.asin(2 * random() - 1) * 180) / Math.PI;
    expectSame(latLngToCell(lat, 360 * random() - 180, Math.floor(random() * 16)));
  }
});

test("a text is a cell when h3-js says so", () => {
  const cell = "8a2a1072b59ffff";
  for (let at = 0; at < cell.length; at++)
    for (const digit of "0123456789abcdefg") {
      const text = `${cell.slice(0, at)}${digit}${cell.slice(at + 1)}`;
      expect(h3Centre(text) !== undefined, text).toBe(/^8/.test(text) && isValidCell(text));
    }
  // a pentagon has no cells in one direction
  for (let digit = 0; digit < 8; digit++) {
    const text = `81083${digit.toString(16)}fffffffff`.slice(0, 15);
    expect(h3Centre(text) !== undefined, text).toBe(isValidCell(text));
  }
  for (const text of ["", "8a2a1072b59fff", "restaurant", "9a2a1072b59ffff"]) expect(h3Centre(text)).toBeUndefined();
});
