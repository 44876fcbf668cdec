import * as sdk from "../../../.cairn/clients/orval.ts";
import { type CallAll, EXPORT, GEOCODE, idsAt, KEPT, linesOf, listOf, QUERY, SEA, TILE, tileOf } from "./call-all.ts";

/** The generated code contains the address. The status decides the type of the body. */
function bodyOf<T extends { readonly status: number; readonly data: unknown }>(
  answer: T,
): Extract<T, { readonly status: 200 }>["data"] {
  if (answer.status !== 200) throw new Error(`an answer has status ${answer.status}`);
  return answer.data;
}

export const callAll: CallAll = async (_baseUrl, ids) => {
  const searchPlaces = listOf(bodyOf(await sdk.searchPlaces(QUERY)));
  // @ts-expect-error counts have no geometry
  const wrong = await sdk.countPlacesCountries({ format: "geojson" });
  if (wrong.status !== 400) throw new Error("an undocumented format is accepted");
  return {
    lines: linesOf(searchPlaces),
    searchPlaces,
    searchPlacesBuildings: listOf(bodyOf(await sdk.searchPlacesBuildings(QUERY))),
    searchBuildings: listOf(bodyOf(await sdk.searchBuildings(QUERY))),
    searchAddresses: listOf(bodyOf(await sdk.searchAddresses(QUERY))),
    searchBase: listOf(bodyOf(await sdk.searchBase(QUERY))),
    searchTransportation: listOf(bodyOf(await sdk.searchTransportation(QUERY))),
    searchDivisions: listOf(bodyOf(await sdk.searchDivisions(QUERY))),
    exportPlaces: listOf(bodyOf(await sdk.exportPlaces(EXPORT))),
    exportPlacesBuildings: listOf(bodyOf(await sdk.exportPlacesBuildings(EXPORT))),
    exportBuildings: listOf(bodyOf(await sdk.exportBuildings(EXPORT))),
    exportAddresses: listOf(bodyOf(await sdk.exportAddresses(EXPORT))),
    exportBase: listOf(bodyOf(await sdk.exportBase(EXPORT))),
    exportTransportation: listOf(bodyOf(await sdk.exportTransportation(EXPORT))),
    exportDivisions: listOf(bodyOf(await sdk.exportDivisions(EXPORT))),
    countPlacesBrands: listOf(bodyOf(await sdk.countPlacesBrands(QUERY))),
    countPlacesCategories: listOf(bodyOf(await sdk.countPlacesCategories(QUERY))),
    countPlacesCountries: listOf(bodyOf(await sdk.countPlacesCountries(QUERY))),
    getPlaces: bodyOf(await sdk.getPlaces(ids.Places, KEPT)),
    getPlacesBuildings: bodyOf(await sdk.getPlacesBuildings(ids.PlacesBuildings, KEPT)),
    getBuildings: bodyOf(await sdk.getBuildings(ids.Buildings, KEPT)),
    getAddresses: bodyOf(await sdk.getAddresses(ids.Addresses, KEPT)),
    getBase: bodyOf(await sdk.getBase(ids.Base, KEPT)),
    getTransportation: bodyOf(await sdk.getTransportation(ids.Transportation, KEPT)),
    getDivisions: bodyOf(await sdk.getDivisions(ids.Divisions, KEPT)),
    autocomplete: bodyOf(await sdk.autocomplete(GEOCODE.autocomplete)),
    search: bodyOf(await sdk.search(GEOCODE.search)),
    reverse: bodyOf(await sdk.reverse(GEOCODE.reverse)),
    counts: bodyOf(await sdk.counts(GEOCODE.counts)),
    changes: bodyOf(await sdk.changes(GEOCODE.changes)),
    photonApi: bodyOf(await sdk.photonApi(GEOCODE.photonApi)),
    atSea: idsAt(bodyOf(await sdk.reverse(SEA))),
    nominatimSearch: bodyOf(await sdk.nominatimSearch(GEOCODE.nominatimSearch)),
    nominatimReverse: bodyOf(await sdk.nominatimReverse(GEOCODE.nominatimReverse)),
    nominatimLookup: bodyOf(await sdk.nominatimLookup(GEOCODE.nominatimLookup)),
    nominatimStatus: bodyOf(await sdk.nominatimStatus(GEOCODE.nominatimStatus)),
    photonStatus: bodyOf(await sdk.photonStatus()),
    photonReverse: bodyOf(await sdk.photonReverse(GEOCODE.photonReverse)),
    // The generated client reads every body as JSON.
    getTile: await tileOf(await (await fetch(sdk.getGetTileUrl(TILE.collection, TILE.z, TILE.x, TILE.y))).blob()),
  };
};
