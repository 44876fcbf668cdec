import proj4 from "proj4";
import { expect, test } from "vitest";
import { nearTown, parseCode, parseShortCode } from "./codes.ts";

const BOULDER = { lat: 40.015, lon: -105.2799 };
/** Metres, near enough for a code. */
const apart = (a: { lat: number; lon: number }, b: { lat: number; lon: number }) =>
  Math.hypot(a.lat - b.lat, (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180)) * 111_195;

test.each([
  ["85GP2P8C+22", BOULDER, 10],
  ["85gp2p8c+222", BOULDER, 15],
  ["9q8yykv0", { lat: 37.7785, lon: -122.3915 }, 3000],
  ["8a2a1072b59ffff", { lat: 40.6894, lon: -74.0444 }, 50],
  ["13TDE7609030", undefined, 0],
  ["31U DQ 48251 11932", { lat: 48.8583, lon: 2.2945 }, 30],
  ["31UDQ4825111932", { lat: 48.8583, lon: 2.2945 }, 30],
  ["31U 448251 5411932", { lat: 48.8583, lon: 2.2945 }, 30],
  ["31N 448251mE 5411932mN", { lat: 48.8583, lon: 2.2945 }, 30],
  ["56H 334873 6252266", { lat: -33.8568, lon: 151.2153 }, 100],
  ["56 S 334873 6252266", { lat: -33.8568, lon: 151.2153 }, 100],
] as const)("%j is a code", async (code, at, meters) => {
  const found = await parseCode(code);
  expect(found).toBeDefined();
  if (found && at) expect(apart(found, at)).toBeLessThan(meters);
});

test.each([
  ...["restaurant", "98000", "9001234", "best", "boulder", "starbucks", "85GP2A8C", "22XX+", "8a2a1072b59fffz"],
  ...["81U 448251 5411932", "31I 448251 5411932", "31U 448251", "99AAA1234", "8a2a1072b59fff0", "", "x".repeat(1000)],
  ...["10 Downing Street 2", "1345 Spruce St", "06 12 34 56 78"],
])("%j is no code", async (text) => {
  expect(await parseCode(text)).toBeUndefined();
});

test("UTM has the position that proj4 gives it, to the metre, in all zones and bands", async () => {
  for (let zone = 1; zone <= 60; zone++)
    for (let lat = -79.5; lat < 84; lat += 2.7) {
      const lon = zone * 6 - 183 + ((zone * 7 + lat) % 3);
      const south = lat < 0 ? "+south " : "";
      const [east, north] = proj4("WGS84", `+proj=utm +zone=${zone} ${south}+datum=WGS84 +units=m`, [lon, lat]);
      const text = `${zone}${lat < 0 ? "M" : "N"} ${east.toFixed(0)} ${north.toFixed(0)}`;
      const found = await parseCode(text);
      expect(found && apart(found, { lat, lon }), text).toBeLessThan(1.5);
    }
});

test("a short plus code is completed by the town after it", () => {
  expect(parseShortCode("2P8C+22 Boulder, CO")).toEqual({ code: "2P8C+22", town: "Boulder, CO" });
  expect(parseShortCode("2p8c+22")).toEqual({ code: "2P8C+22", town: "" });
  for (const text of ["85GP2P8C+22", "2P8C", "C+22 Boulder", "aaaa+22"]) expect(parseShortCode(text)).toBeUndefined();
  const found = nearTown("2P8C+22", { lat: 40.03, lon: -105.25 });
  expect(found && apart(found, BOULDER)).toBeLessThan(15);
});
