import createClient from "openapi-fetch";
import type { paths } from "../../../.cairn/clients/openapi-typescript.ts";
import { type CallAll, EXPORT, GEOCODE, idsAt, KEPT, linesOf, listOf, QUERY, SEA, TILE, tileOf } from "./call-all.ts";

function bodyOf<T>({ data, response }: { readonly data?: T; readonly response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} has status ${response.status}`);
  return data;
}

export const callAll: CallAll = async (baseUrl, ids) => {
  const client = createClient<paths>({ baseUrl });
  const params = { query: QUERY };
  const byId = (id: string) => ({ params: { path: { id }, query: KEPT } });
  const searchPlaces = listOf(bodyOf(await client.GET("/places", { params })));
  // @ts-expect-error counts have no geometry
  const wrong = await client.GET("/places/countries", { params: { query: { format: "geojson" } } });
  if (wrong.response.status !== 400) throw new Error("an undocumented format is accepted");
  return {
    lines: linesOf(searchPlaces),
    searchPlaces,
    searchPlacesBuildings: listOf(bodyOf(await client.GET("/places/buildings", { params }))),
    searchBuildings: listOf(bodyOf(await client.GET("/buildings", { params }))),
    searchAddresses: listOf(bodyOf(await client.GET("/addresses", { params }))),
    searchBase: listOf(bodyOf(await client.GET("/base", { params }))),
    searchTransportation: listOf(bodyOf(await client.GET("/transportation", { params }))),
    searchDivisions: listOf(bodyOf(await client.GET("/divisions", { params }))),
    exportPlaces: listOf(bodyOf(await client.GET("/export/places", { params: { query: EXPORT } }))),
    exportPlacesBuildings: listOf(bodyOf(await client.GET("/export/places/buildings", { params: { query: EXPORT } }))),
    exportBuildings: listOf(bodyOf(await client.GET("/export/buildings", { params: { query: EXPORT } }))),
    exportAddresses: listOf(bodyOf(await client.GET("/export/addresses", { params: { query: EXPORT } }))),
    exportBase: listOf(bodyOf(await client.GET("/export/base", { params: { query: EXPORT } }))),
    exportTransportation: listOf(bodyOf(await client.GET("/export/transportation", { params: { query: EXPORT } }))),
    exportDivisions: listOf(bodyOf(await client.GET("/export/divisions", { params: { query: EXPORT } }))),
    countPlacesBrands: listOf(bodyOf(await client.GET("/places/brands", { params }))),
    countPlacesCategories: listOf(bodyOf(await client.GET("/places/categories", { params }))),
    countPlacesCountries: listOf(bodyOf(await client.GET("/places/countries", { params }))),
    getPlaces: bodyOf(await client.GET("/places/{id}", byId(ids.Places))),
    getPlacesBuildings: bodyOf(await client.GET("/places/buildings/{id}", byId(ids.PlacesBuildings))),
    getBuildings: bodyOf(await client.GET("/buildings/{id}", byId(ids.Buildings))),
    getAddresses: bodyOf(await client.GET("/addresses/{id}", byId(ids.Addresses))),
    getBase: bodyOf(await client.GET("/base/{id}", byId(ids.Base))),
    getTransportation: bodyOf(await client.GET("/transportation/{id}", byId(ids.Transportation))),
    getDivisions: bodyOf(await client.GET("/divisions/{id}", byId(ids.Divisions))),
    autocomplete: bodyOf(await client.GET("/autocomplete", { params: { query: GEOCODE.autocomplete } })),
    search: bodyOf(await client.GET("/search", { params: { query: GEOCODE.search } })),
    reverse: bodyOf(await client.GET("/reverse", { params: { query: GEOCODE.reverse } })),
    photonApi: bodyOf(await client.GET("/photon/api", { params: { query: GEOCODE.photonApi } })),
    counts: bodyOf(await client.GET("/counts", { params: { query: GEOCODE.counts } })),
    changes: bodyOf(await client.GET("/changes", { params: { query: GEOCODE.changes } })),
    atSea: idsAt(bodyOf(await client.GET("/reverse", { params: { query: SEA } }))),
    photonStatus: bodyOf(await client.GET("/photon/status")),
    photonReverse: bodyOf(await client.GET("/photon/reverse", { params: { query: GEOCODE.photonReverse } })),
    nominatimSearch: bodyOf(await client.GET("/nominatim/search", { params: { query: GEOCODE.nominatimSearch } })),
    nominatimReverse: bodyOf(await client.GET("/nominatim/reverse", { params: { query: GEOCODE.nominatimReverse } })),
    nominatimLookup: bodyOf(await client.GET("/nominatim/lookup", { params: { query: GEOCODE.nominatimLookup } })),
    nominatimStatus: bodyOf(await client.GET("/nominatim/status", { params: { query: GEOCODE.nominatimStatus } })),
    getTile: await tileOf(
      bodyOf(await client.GET("/tiles/{collection}/{z}/{x}/{y}.mvt", { params: { path: TILE }, parseAs: "blob" })),
    ),
  };
};
