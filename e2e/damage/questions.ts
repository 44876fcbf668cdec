/** Questions to the damaged dataset: at least one for each route, each tool and each method. @module */
import type { Cairn } from "../../web/embed/types.ts";

const MC = "lat=43.7384&lng=7.4246";
const AT = { lat: 43.7384, lng: 7.4246 };

const AREA = JSON.stringify({
  type: "Polygon",
  coordinates: [
    [
      [7.424, 43.738],
      [7.426, 43.738],
      [7.426, 43.74],
      [7.424, 43.738],
    ],
  ],
});

type Asked = string | { readonly path: string; readonly body: string };

const posted = (path: string): readonly Asked[] => [{ path: `${path}?limit=5`, body: AREA }];

/** By route, as in the program's table. */
export const REQUESTS: Readonly<Record<string, readonly Asked[]>> = {
  "GET /": ["/"],
  "GET /openapi.json": ["/openapi.json"],
  "GET /docs": ["/docs"],
  "GET /places": [
    `/places?${MC}&radius=150&limit=9`,
    "/places?country=MC&name=casino",
    "/places?within=mc-division-1&categories=hotel&limit=5",
    `/places?${MC}&nearest=3&min_confidence=0.5`,
  ],
  "GET /places/buildings": [`/places/buildings?${MC}&radius=100&limit=5`],
  "GET /buildings": ["/buildings?country=MC&limit=5&format=csv"],
  "GET /addresses": [`/addresses?${MC}&radius=100&limit=5`],
  "GET /base": [`/base?${MC}&radius=50&limit=5&format=geojson`],
  "GET /transportation": ["/transportation?country=US&name=goss&limit=5"],
  "GET /divisions": ["/divisions?name=boulder", `/divisions?${MC}&radius=1&include_geometry=false`],
  "POST /places": posted("/places"),
  "POST /places/buildings": posted("/places/buildings"),
  "POST /buildings": posted("/buildings"),
  "POST /addresses": posted("/addresses"),
  "POST /base": posted("/base"),
  "POST /transportation": posted("/transportation"),
  "POST /divisions": posted("/divisions"),
  "GET /export/places": [`/export/places?${MC}&radius=150&includes=names`],
  "GET /export/places/buildings": [`/export/places/buildings?${MC}&radius=100`],
  "GET /export/buildings": ["/export/buildings?country=MC&format=csv"],
  "GET /export/addresses": [`/export/addresses?${MC}&radius=100`],
  "GET /export/base": [`/export/base?${MC}&radius=50&format=geojson`],
  "GET /export/transportation": ["/export/transportation?country=US&name=goss"],
  "GET /export/divisions": ["/export/divisions?name=boulder"],
  "GET /export/:collection": ["/export/shops?Category=Bakery"],
  "GET /counts": [
    "/counts?what=places&group=category",
    `/counts?${MC}&radius=150&group=cell&level=6`,
    "/counts?what=shops",
  ],
  "POST /counts": [{ path: "/counts?group=brand", body: AREA }],
  "GET /places/:id": ["/places/mc-place-3"],
  "GET /places/buildings/:id": ["/places/buildings/mc-place_building-3"],
  "GET /buildings/:id": ["/buildings/us-building-3"],
  "GET /addresses/:id": ["/addresses/us-address-3"],
  "GET /base/:id": ["/base/mc-water-3"],
  "GET /transportation/:id": ["/transportation/us-connector-3"],
  "GET /divisions/:id": ["/divisions/mc-division-3"],
  "GET /:collection": [
    `/shops?${MC}&radius=100&limit=5`,
    "/shops?Category=Bakery&Price_min=3&limit=5&format=csv",
    "/shops?name=books&country=MC",
  ],
  "POST /:collection": posted("/shops"),
  "GET /:collection/:id": ["/shops/432fc373c5167498"],
  "GET /places/brands": ["/places/brands?limit=5", `/places/brands?${MC}&radius=200`],
  "GET /places/categories": ["/places/categories?country=MC&limit=5"],
  "GET /places/countries": ["/places/countries"],
  "GET /autocomplete": [
    `/autocomplete?text=hotel%20mon&${MC}`,
    "/autocomplete?text=pharmacie%20monaco",
    "/autocomplete?text=11%20goss%20street%20boulder",
    `/autocomplete?text=casinno&${MC}&language=fr`,
    `/autocomplete?text=hotel%20near%20rue%20grimaldi&${MC}`,
  ],
  "GET /search": ["/search?text=boulder&limit=3", `/search?text=rue%20grimaldi&${MC}&limit=3`],
  "GET /reverse": [`/reverse?${MC}`, "/reverse?lat=40.0176&lng=-105.2797&include_divisions=false"],
  "GET /photon/api": ["/photon/api?q=casino%20monaco&limit=3"],
  "GET /photon/reverse": ["/photon/reverse?lat=40.0176&lon=-105.2797"],
  "GET /photon/status": ["/photon/status"],
  "GET /nominatim/search": [
    "/nominatim/search?q=casino%20monaco&limit=3",
    "/nominatim/search?q=monaco&polygon_geojson=1",
  ],
  "GET /nominatim/reverse": [
    "/nominatim/reverse?lat=43.7384&lon=7.4246",
    "/nominatim/reverse?lat=43.7384&lon=7.4246&zoom=10",
  ],
  "GET /nominatim/lookup": ["/nominatim/lookup?osm_ids=9f8ac9cb-8c4a-54a8-a638-fa43bfbc99a9"],
  "GET /nominatim/status": ["/nominatim/status?format=json"],
  "GET /changes": [`/changes?since=older&${MC}&radius=100`],
  "GET /tiles/:collection/:z/:x/:y": [
    "/tiles/places/15/17059/11948.mvt",
    "/tiles/base/8/133/93.mvt",
    "/tiles/shops/15/17059/11948.mvt",
  ],
  "GET /ogc": ["/ogc"],
  "GET /ogc/conformance": ["/ogc/conformance"],
  "GET /ogc/api": ["/ogc/api"],
  "GET /ogc/collections": ["/ogc/collections"],
  "GET /ogc/collections/:collection": ["/ogc/collections/place"],
  "GET /ogc/collections/:collection/queryables": ["/ogc/collections/place/queryables"],
  "GET /ogc/collections/:collection/schema": ["/ogc/collections/place/schema"],
  "GET /ogc/collections/:collection/feature-schema": ["/ogc/collections/place/feature-schema"],
  "GET /ogc/collections/:collection/counts": [
    "/ogc/collections/place/counts?bbox=7.42,43.735,7.426,43.74&group=category",
  ],
  "GET /ogc/collections/:collection/items": [
    "/ogc/collections/place/items?bbox=7.42,43.735,7.426,43.74&limit=5",
    "/ogc/collections/segment/items?limit=3&offset=10",
    "/ogc/collections/shops/items?limit=3",
  ],
  "GET /ogc/collections/:collection/items/:id": ["/ogc/collections/place/items/mc-place-3"],
};

/** Arguments by tool name. */
export const CALLS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  find: [{ text: "casino monaco" }, { text: "hotel", ...AT }],
  reverse: [AT],
  near: [
    { ...AT, radius: 150, limit: 5 },
    { ...AT, what: "shops", columns: { Price_min: 3 }, limit: 5 },
  ],
  in_area: [
    { division: "mc-division-1", limit: 3, categories: ["hotel"] },
    { country: "MC", what: "transportation" },
  ],
  get: [{ id: "mc-place-3" }, { id: "432fc373c5167498", what: "shops" }],
  categories: [{ words: "hotel", country: "MC" }],
  counts: [{ by: "brand", ...AT, radius: 150 }],
  describe: [{}],
};

type Method = Exclude<keyof Cairn, "location">;

async function all(records: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const record of records) found.push(record);
  return found;
}

const NEAR = { ...AT, radius: 100, limit: 9 };

/** By method name. `fetch` covers every route. */
export const METHODS: Readonly<Record<Exclude<Method, "fetch">, (cairn: Cairn) => Promise<unknown>>> = {
  search: (cairn) => cairn.search("places", NEAR),
  records: (cairn) => all(cairn.records("places", { ...NEAR, limit: 3 })),
  counts: (cairn) => cairn.counts("places", { ...AT, radius: 150, group: "brand" }),
  find: (cairn) => cairn.find("places", "mc-place-3"),
  suggest: (cairn) => cairn.suggest({ text: "hotel mon", ...AT }),
  reverse: (cairn) => cairn.reverse(AT),
  describe: (cairn) => cairn.describe(),
  places: (cairn) => all(cairn.places({ ...NEAR, limit: 3 })),
  placeBuildings: (cairn) => all(cairn.placeBuildings(NEAR)),
  buildings: (cairn) => all(cairn.buildings(NEAR)),
  addresses: (cairn) => all(cairn.addresses(NEAR)),
  base: (cairn) => all(cairn.base(NEAR)),
  transportation: (cairn) => all(cairn.transportation(NEAR)),
  divisions: (cairn) => all(cairn.divisions({ ...AT, radius: 1, include_geometry: false })),
};
