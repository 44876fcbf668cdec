import { expect, test } from "vitest";
import { isRecordId, mayBeCode, parsePoint } from "./index.ts";

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
  ["91, 0", { lat: 0, lon: 91 }],
  ["-105.27, 40.01", { lat: 40.01, lon: -105.27 }],
  ["40 0.9 -105 16.2", { lat: 40.015, lon: -105.27 }],
  ["40 0.9 N, 105 16.2 W", { lat: 40.015, lon: -105.27 }],
  ["N 40 0.9 W 105 16.2", { lat: 40.015, lon: -105.27 }],
  ["40 0 54 N 105 16 12 W", { lat: 40.015, lon: -105.27 }],
  ["40:00:54N 105:16:12W", { lat: 40.015, lon: -105.27 }],
  ["40d 0m 54s N 105d 16m 12s W", { lat: 40.015, lon: -105.27 }],
  ["40 deg 0.9 min N, 105 deg 16.2 min W", { lat: 40.015, lon: -105.27 }],
  ["4000.9N 10516.2W", { lat: 40.015, lon: -105.27 }],
  ["400054N1051612W", { lat: 40.015, lon: -105.27 }],
  ["lat: 40.015, lon: -105.27", { lat: 40.015, lon: -105.27 }],
  ["latitude 40.015 longitude -105.27", { lat: 40.015, lon: -105.27 }],
  ["geo:40.01,-105.27", { lat: 40.01, lon: -105.27 }],
  ["https://www.openstreetmap.org/#map=15/40.01/-105.27", { lat: 40.01, lon: -105.27 }],
  ["https://www.openstreetmap.org/?mlat=40.01&mlon=-105.27#map=9/41/-100", { lat: 40.01, lon: -105.27 }],
  ["https://www.google.com/maps/@40.01,-105.27,15z?entry=ttu", { lat: 40.01, lon: -105.27 }],
  [
    "https://www.google.com/maps/place/Cafe/@41,-100,15z/data=!3m1!4b1!4m6!3m5!1s0x0:0x0!8m2!3d40.01!4d-105.27",
    { lat: 40.01, lon: -105.27 },
  ],
  ["https://www.google.com/maps/search/?api=1&query=40.01%2C-105.27", { lat: 40.01, lon: -105.27 }],
  ["https://maps.google.com/?q=loc:40.01,-105.27", { lat: 40.01, lon: -105.27 }],
  ["https://maps.apple.com/?ll=40.01,-105.27&q=Cafe", { lat: 40.01, lon: -105.27 }],
  ["https://maps.apple.com/place?coordinate=40.01,-105.27&name=Cafe", { lat: 40.01, lon: -105.27 }],
  ["https://www.bing.com/maps?cp=40.01~-105.27&lvl=15", { lat: 40.01, lon: -105.27 }],
  ["https://host.example/map/#/places?lat=40.01&lng=-105.27&radius=500", { lat: 40.01, lon: -105.27 }],
  ["https://www.google.com/maps/search/?q=pizza", undefined],
  ["https://maps.app.goo.gl/abc", undefined],
  ["https://", undefined],
  ["91, 91", undefined],
  ["-200, 40", undefined],
  ["40 61.9 -105 16.2", undefined],
  ["40 0 54 105 16.5", undefined],
  ["06 12 34 56", undefined],
  ["06 12 34 56 78", undefined],
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
  ...["85GP2P8C+22", "2P8C+22 Boulder", "9q8yykv0", "8a2a1072b59ffff", "31U DQ 48251 11932", "31U 448251 5411932"].map(
    (text) => [text, true] as const,
  ),
  ...["restaurant", "cafes near Pearl Street", "98000", "12 rue", `9q8yykv0${" ".repeat(10)}${"9".repeat(100)}`].map(
    (text) => [text, false] as const,
  ),
])("whether %j may be a code: %j", (text, expected) => {
  expect(mayBeCode(text)).toBe(expected);
});

test.each([
  ["8e7f4543-67ae-41fd-81bd-a4aeb962eb5e", true],
  ["08B2681408200FFF0001A6F1B2C3D4E5", true],
  ["8e7f4543", false],
  ["8e7f4543-67ae-41fd-81bd-a4aeb962eb5g", false],
])("whether %j can be an id: %j", (text, expected) => {
  expect(isRecordId(text)).toBe(expected);
});
