import { expect, test } from "vitest";
import { elsewhere } from "./elsewhere.ts";

test("links lead to the position by latitude and longitude, with any name", () => {
  const links = elsewhere({ lon: -105.271, lat: 40.0165, name: 'Café & "Bar" #1' });
  expect(links.map(({ href }) => href)).toEqual([
    "https://www.openstreetmap.org/?mlat=40.016500&mlon=-105.271000#map=18/40.016500/-105.271000",
    "https://maps.apple.com/?ll=40.016500,-105.271000&q=Caf%C3%A9%20%26%20%22Bar%22%20%231",
    "https://www.google.com/maps/search/?api=1&query=40.016500,-105.271000",
    "geo:40.016500,-105.271000?q=40.016500,-105.271000(Caf%C3%A9%20%26%20%22Bar%22%20%231)",
    "https://www.openstreetmap.org/directions?to=40.016500%2C-105.271000",
  ]);
  expect(elsewhere({ lon: 0, lat: 0, name: "half \ud83d" })[1]?.href).toMatch(/q=half%20%EF%BF%BD$/);
  for (const { href } of links) expect(() => new URL(href)).not.toThrow();
});
