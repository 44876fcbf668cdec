/**
 * One request for each route of the interface, for tests over the sample. `routes.test.ts` fails if a route has no
 * example.
 * @module
 */

const POINT = "lat=43.7384&lng=7.4246";
const SEARCH = "?country=MC&limit=2";

/** By the path of the route: the query, then the values of its parameters in order. */
const ROUTES: Readonly<Record<string, readonly [query: string, ...values: readonly string[]]>> = {
  "/": [""],
  "/openapi.json": [""],
  "/docs": [""],
  "/places": [SEARCH],
  "/places/buildings": [SEARCH],
  "/places/brands": [SEARCH],
  "/places/categories": [SEARCH],
  "/places/countries": [SEARCH],
  "/buildings": [SEARCH],
  "/addresses": [SEARCH],
  "/base": ["?country=US&limit=2"],
  "/transportation": [SEARCH],
  "/divisions": [SEARCH],
  "/places/:id": ["", "{place}"],
  "/places/buildings/:id": ["", "{place_building}"],
  "/buildings/:id": ["", "{building}"],
  "/addresses/:id": ["", "{address}"],
  "/base/:id": ["", "{land}"],
  "/transportation/:id": ["", "{segment}"],
  "/divisions/:id": ["", "{division_area}"],
  "/export/places": ["?country=MC&categories=cafe&includes=names"],
  "/export/places/buildings": ["?country=MC&categories=cafe"],
  "/export/buildings": ["?lat=43.7384&lng=7.4246&radius=100"],
  "/export/addresses": ["?lat=43.7384&lng=7.4246&radius=100"],
  "/export/base": ["?lat=43.7384&lng=7.4246&radius=50"],
  "/export/transportation": ["?lat=43.7384&lng=7.4246&radius=50"],
  "/export/divisions": ["?country=MC&include_geometry=false"],
  "/autocomplete": ["?text=casino%20monaco"],
  "/search": ["?text=casino%20monaco&limit=2"],
  "/reverse": [`?${POINT}`],
  "/photon/api": ["?q=casino%20monaco"],
  "/photon/reverse": ["?lat=43.7384&lon=7.4246"],
  "/photon/status": [""],
  "/nominatim/search": ["?q=casino%20monaco&limit=2"],
  "/nominatim/reverse": ["?lat=43.7384&lon=7.4246"],
  "/nominatim/lookup": ["?osm_ids={place}"],
  "/nominatim/status": [""],
  "/changes": ["?since={release}&country=MC"],
  "/counts": ["?country=MC&group=cell&level=5&limit=2"],
  "/tiles/:collection/:z/:x/:y": ["", "places", "14", "8529", "5974.mvt"],
  "/ogc": [""],
  "/ogc/conformance": [""],
  "/ogc/api": [""],
  "/ogc/collections": [""],
  "/ogc/collections/:collection": ["", "place"],
  "/ogc/collections/:collection/queryables": ["", "place"],
  "/ogc/collections/:collection/schema": ["", "place"],
  "/ogc/collections/:collection/feature-schema": ["", "place"],
  "/ogc/collections/:collection/counts": ["?group=cell&level=5", "place"],
  "/ogc/collections/:collection/items": ["?limit=2&offset=2", "place"],
  "/ogc/collections/:collection/items/:id": ["", "place", "{place}"],
};

export const EXAMPLE_PATHS: readonly string[] = Object.keys(ROUTES);

/**
 * Returns the value of `{name}` in an example: the name of the current release, or the id of a record of the
 * collection.
 */
export type ExampleValue = (name: string) => Promise<string>;

/** Returns the URL of a request for the route, relative to the base URL. `slash` ends its path. */
export async function exampleOf(path: string, exampleValue: ExampleValue, slash = ""): Promise<string> {
  const [query = "", ...values] = ROUTES[path] ?? [];
  let address = path;
  for (const value of values) address = address.replace(/:[a-z]+/, value);
  address = (path === "/" ? path : address + slash) + query;
  const [, name] = /\{(\w+)\}/.exec(address) ?? [];
  return name === undefined ? address : address.replace(`{${name}}`, encodeURIComponent(await exampleValue(name)));
}
