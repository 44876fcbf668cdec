/**
 * geopy's unchanged Photon and Nominatim classes with the Node host. Skipped with a message if there is no Python.
 * @module
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { type RunningServer, startServer } from "../../web/hosts/node/server.ts";
import { pythonWith } from "../support/python.ts";

const PROGRAM = `
import json, sys
from geopy.exc import GeocoderQueryError
from geopy.geocoders import Nominatim, Photon
photon = Photon(scheme="http", domain=sys.argv[1] + "/photon", timeout=60)
nominatim = Nominatim(scheme="http", domain=sys.argv[1] + "/nominatim", user_agent="cairn", timeout=60)
def refused(work):
  try:
    work()
  except GeocoderQueryError as error:
    return str(error)
shown = lambda found: [found.address, found.latitude, found.longitude]
print(json.dumps({
  "boulder": shown(photon.geocode("Boulder")),
  "casino": [shown(found) for found in photon.geocode("casino monaco", exactly_one=False, limit=3)],
  "at": shown(photon.reverse((40.0165, -105.271))),
  "nominatim": {
    "boulder": shown(nominatim.geocode("Boulder", country_codes=["us"], featuretype="city")),
    "structured": nominatim.geocode({"street": "1345 Spruce St", "city": "Boulder", "country": "US"}, addressdetails=True).raw["address"],
    "casino": [shown(found) for found in nominatim.geocode("casino monaco", exactly_one=False, limit=3, language="fr", namedetails=True)],
    "bounded": nominatim.geocode("Boulder", viewbox=[(43.7, 7.3), (43.8, 7.5)], bounded=True),
    "geometry": nominatim.geocode("Monaco", geometry="geojson").raw["geojson"]["type"],
    "unknown": nominatim.geocode("qqqqzzzz xxxxkkkk"),
    "at": shown(nominatim.reverse((40.0165, -105.271))),
    "country": shown(nominatim.reverse((40.0165, -105.271), zoom=3, language="de")),
    "sea": nominatim.reverse((0, -30)),
    "refused": refused(lambda: nominatim.geocode("Monaco", geometry="kml")),
  },
}))
`;

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ dataset: await buildSample(), port: 0 });
});
afterAll(() => server.close());

test("geopy finds places by name and by point", async ({ skip }) => {
  const python = await pythonWith(["geopy"]);
  if (typeof python === "string") return skip(python);
  const { boulder, casino, at, nominatim } = JSON.parse(await python(["-c", PROGRAM, new URL(server.url).host]));
  expect(boulder).toEqual(["Boulder, United States", expect.closeTo(40.015, 2), expect.closeTo(-105.27, 2)]);
  expect(casino).toHaveLength(3);
  expect(at[0]).toContain("GOSS ST");
  expect(nominatim).toMatchObject({
    boulder: [
      expect.stringMatching(/^Boulder, .*United States$/),
      expect.closeTo(40.015, 2),
      expect.closeTo(-105.27, 2),
    ],
    structured: { house_number: "1345", road: "SPRUCE ST", city: "BOULDER", postcode: "80302", country_code: "us" },
    bounded: null,
    geometry: "Polygon",
    unknown: null,
    at: [expect.stringContaining("United States"), expect.closeTo(40.0165, 3), expect.closeTo(-105.271, 3)],
    country: [expect.stringContaining("Vereinigte Staaten"), expect.any(Number), expect.any(Number)],
    sea: null,
    refused: expect.stringContaining("400"),
  });
  expect(nominatim.casino).toHaveLength(3);
});
