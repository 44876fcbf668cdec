import { expect, test } from "vitest";
import { isRecordId, parsePoint } from "./typed-location.ts";

test.each([
  ["40.01, -105.27", { lat: 40.01, lon: -105.27 }],
  ["40.01 -105.27", { lat: 40.01, lon: -105.27 }],
  ["0,0", { lat: 0, lon: 0 }],
  ["40.01° N, 105.27° W", { lat: 40.01, lon: -105.27 }],
  ["33.9s 151.2e", { lat: -33.9, lon: 151.2 }],
  ["-33.9 S, 151.2 E", { lat: -33.9, lon: 151.2 }],
  ["40,01; -105,27", { lat: 40.01, lon: -105.27 }],
  ["40,01 -105,27", { lat: 40.01, lon: -105.27 }],
  ["40,105", { lat: 40, lon: 105 }],
  ["(40.01, -105.27)", { lat: 40.01, lon: -105.27 }],
  ["40.01/-105.27", { lat: 40.01, lon: -105.27 }],
  ["40.01 −105.27", { lat: 40.01, lon: -105.27 }],
  ["geo:40.01,-105.27?z=15", { lat: 40.01, lon: -105.27 }],
  ["N 40.5 W 105.25", { lat: 40.5, lon: -105.25 }],
  ["40.5N105.25W", { lat: 40.5, lon: -105.25 }],
  ["105.25 W, 40.5 N", { lat: 40.5, lon: -105.25 }],
  [`40°30'0"N 105°15'0"W`, { lat: 40.5, lon: -105.25 }],
  ["40° 30′ N, 105° 15′ 0.0″ W", { lat: 40.5, lon: -105.25 }],
  ["-40°30' -105°15'", { lat: -40.5, lon: -105.25 }],
  ["٤٠٫٥، -١٠٥٫٢٥", { lat: 40.5, lon: -105.25 }],
  ["91, 0", undefined],
  ["40.01", undefined],
  ["28 29th Street", undefined],
  ["40.5 N 41 N", undefined],
  ["40.5 E 41 E", undefined],
  ["N 40.5 N, 7 E", undefined],
  ["40°60' 7°", undefined],
  ["1, 2, 3", undefined],
  ["12 5 Rue de la Paix", undefined],
])("%j is the point %j", (text, point) => {
  expect(parsePoint(text)).toEqual(point);
});

test.each([
  ["8e7f4543-67ae-41fd-81bd-a4aeb962eb5e", true],
  ["08B2681408200FFF0001A6F1B2C3D4E5", true],
  ["8e7f4543", false],
  ["8e7f4543-67ae-41fd-81bd-a4aeb962eb5g", false],
])("whether %j can be an id: %j", (text, expected) => {
  expect(isRecordId(text)).toBe(expected);
});
