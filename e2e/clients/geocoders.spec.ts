/**
 * Unchanged third-party search boxes: they use the paths of Photon and of Nominatim in the service worker, and the ES
 * module.
 * @module
 */
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { serviceWorkerReady } from "../support/service-worker.ts";

const { resolve } = createRequire(import.meta.url);

/** Members of the libraries' globals in use. */
interface Found {
  readonly name: string;
  readonly center: { readonly lat: number; readonly lng: number };
  readonly bbox?: { isValid(): boolean };
}
interface Leaflet {
  latLng(lat: number, lng: number): unknown;
  readonly Control: {
    readonly Geocoder: Readonly<Record<"photon" | "nominatim", (options: object) => LeafletGeocoder>>;
  };
}
interface LeafletGeocoder {
  geocode(text: string): Promise<Found[]>;
  suggest(text: string): Promise<Found[]>;
  reverse(at: unknown, scale: number): Promise<Found[]>;
}

// The page's policy allows no other program.
test.use({ bypassCSP: true, hasMap: false });

async function load(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await page.addScriptTag({ path: resolve(name) });
}

test("leaflet-control-geocoder finds, suggests and looks up points", async ({ page, home }) => {
  await page.goto(home);
  await serviceWorkerReady(page);
  await load(page, "leaflet/dist/leaflet.js", "leaflet-control-geocoder");
  const found = await page.evaluate(async (base) => {
    const { L } = globalThis as unknown as { L: Leaflet };
    const geocoder = L.Control.Geocoder.photon({
      // Its defaults also end with a slash.
      serviceUrl: `${base}photon/api/`,
      reverseUrl: `${base}photon/reverse/`,
    });
    const shown = (all: Found[]) => all.map(({ name, center }) => ({ name, lat: center.lat, lng: center.lng }));
    return {
      casino: shown(await geocoder.geocode("casino monaco")),
      boulder: shown(await geocoder.suggest("bould")),
      at: shown(await geocoder.reverse(L.latLng(40.0165, -105.271), 1)),
    };
  }, home);
  expect(found.casino.some(({ name }) => /Casino/.test(name))).toBe(true);
  for (const { lat, lng } of found.casino) {
    expect(Math.abs(lat - 43.74)).toBeLessThan(0.05);
    expect(Math.abs(lng - 7.42)).toBeLessThan(0.05);
  }
  expect(found.boulder[0]).toMatchObject({ name: expect.stringContaining("Boulder"), lat: expect.closeTo(40.015, 2) });
  expect(found.at[0]?.name).toContain("GOSS ST");
});

test("leaflet-control-geocoder uses Nominatim's paths", async ({ page, home }) => {
  await page.goto(home);
  await serviceWorkerReady(page);
  await load(page, "leaflet/dist/leaflet.js", "leaflet-control-geocoder");
  const found = await page.evaluate(async (base) => {
    const { L } = globalThis as unknown as { L: Leaflet };
    const geocoder = L.Control.Geocoder.nominatim({
      serviceUrl: `${base}nominatim/`,
      geocodingQueryParams: { "accept-language": "de", countrycodes: "us" },
    });
    const shown = (all: Found[]) =>
      all.map(({ name, center, bbox }) => ({ name, lat: center.lat, lng: center.lng, hasBox: bbox?.isValid() }));
    return {
      house: shown(await geocoder.geocode("1345 Spruce St, Boulder")),
      at: shown(await geocoder.reverse(L.latLng(40.0165, -105.271), 256 * 2 ** 18)),
      sea: shown(await geocoder.reverse(L.latLng(0, -30), 256 * 2 ** 18)),
    };
  }, home);
  expect(found.house[0]).toEqual({
    name: "1345, SPRUCE ST, BOULDER, CO, 80302, Vereinigte Staaten",
    lat: expect.closeTo(40.0197, 3),
    lng: expect.closeTo(-105.278, 3),
    hasBox: true,
  });
  expect(found.at[0]).toMatchObject({ lat: expect.closeTo(40.0165, 3), lng: expect.closeTo(-105.271, 3) });
  expect(found.sea).toEqual([]);
});

interface MapLibreGeocoder {
  addTo(holder: HTMLElement): void;
  on(event: string, hear: (event: { readonly features: readonly { readonly place_name: string }[] }) => void): void;
  query(text: string): void;
}

test("MapLibre's search box uses the ES module", async ({ page, home }) => {
  await page.goto(home);
  await load(page, "@maplibre/maplibre-gl-geocoder/dist/maplibre-gl-geocoder.js");
  const ask = (text: string) =>
    page.evaluate(
      async ([base, words]) => {
        const { open, maplibreGeocoder } = await import(`${base}embed/cairn.js`);
        type Box = new (api: unknown, options: object) => MapLibreGeocoder;
        const { MaplibreGeocoder } = globalThis as unknown as { MaplibreGeocoder: Box };
        const box = new MaplibreGeocoder(maplibreGeocoder(await open(`${base}dataset/`)), { reverseGeocode: true });
        const holder = document.createElement("div");
        document.body.append(holder);
        box.addTo(holder);
        const results = new Promise<string[]>((done) => {
          box.on("results", ({ features }) => done(features.map((feature) => feature.place_name)));
        });
        box.query(words);
        return results;
      },
      [home, text] as const,
    );
  expect((await ask("boulder"))[0]).toBe("Boulder, US");
  expect(await ask("43.7384, 7.4246")).toEqual(["25 Avenue de la Costa, Monaco"]);
});

test("MapLibre's search box uses Nominatim's paths as in MapLibre's example", async ({ page, home }) => {
  await page.goto(home);
  await serviceWorkerReady(page);
  await load(page, "@maplibre/maplibre-gl-geocoder/dist/maplibre-gl-geocoder.js");
  const names = await page.evaluate(async (base) => {
    interface Answer {
      readonly features: readonly {
        readonly bbox: readonly [number, number, number, number];
        readonly properties: { readonly display_name: string };
      }[];
    }
    // https://maplibre.org/maplibre-gl-js/docs/examples/geocode-with-nominatim/
    const forwardGeocode = async ({ query }: { readonly query: string }) => {
      const asked = `${base}nominatim/search?q=${query}&format=geojson&polygon_geojson=1&addressdetails=1`;
      const { features } = (await (await fetch(asked)).json()) as Answer;
      return {
        features: features.map(({ bbox, properties: { display_name } }) => ({
          type: "Feature",
          geometry: { type: "Point", coordinates: [(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2] },
          place_name: display_name,
          properties: { display_name },
          text: display_name,
          place_type: ["place"],
          center: [(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2],
        })),
      };
    };
    type Box = new (api: unknown, options: object) => MapLibreGeocoder;
    const { MaplibreGeocoder } = globalThis as unknown as { MaplibreGeocoder: Box };
    const box = new MaplibreGeocoder({ forwardGeocode }, {});
    const holder = document.createElement("div");
    document.body.append(holder);
    box.addTo(holder);
    const results = new Promise<string[]>((done) => {
      box.on("results", ({ features }) => done(features.map((feature) => feature.place_name)));
    });
    box.query("Monaco");
    return results;
  }, home);
  expect(names[0]).toBe("Monaco");
});
