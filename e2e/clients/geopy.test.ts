/**
 * geopy's unchanged Photon class with the Node host. Skipped with a message if there is no Python.
 * @module
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { type RunningServer, startServer } from "../../web/hosts/node/server.ts";
import { pythonWith } from "../support/python.ts";

const PROGRAM = `
import json, sys
from geopy.geocoders import Photon
photon = Photon(scheme="http", domain=sys.argv[1] + "/photon", timeout=60)
shown = lambda found: [found.address, found.latitude, found.longitude]
print(json.dumps({
  "boulder": shown(photon.geocode("Boulder")),
  "casino": [shown(found) for found in photon.geocode("casino monaco", exactly_one=False, limit=3)],
  "at": shown(photon.reverse((40.0165, -105.271))),
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
  const { boulder, casino, at } = JSON.parse(await python(["-c", PROGRAM, new URL(server.url).host]));
  expect(boulder).toEqual(["Boulder, United States", expect.closeTo(40.015, 2), expect.closeTo(-105.27, 2)]);
  expect(casino).toHaveLength(3);
  expect(at[0]).toContain("GOSS ST");
});
