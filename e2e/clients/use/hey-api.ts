import { createClient } from "../../../.cairn/clients/hey-api/client/index.ts";
import * as sdk from "../../../.cairn/clients/hey-api/sdk.gen.ts";
import { type CallAll, EXPORT, GEOCODE, idsAt, KEPT, linesOf, listOf, QUERY, SEA, TILE, tileOf } from "./call-all.ts";

function bodyOf<T>({ data, response }: { readonly data?: T; readonly response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} has status ${response.status}`);
  return data;
}

export const callAll: CallAll = async (baseUrl, ids) => {
  const client = createClient({ baseUrl });
  const list = { client, query: QUERY };
  const byId = (id: string) => ({ client, path: { id }, query: KEPT });
  const searchPlaces = listOf(bodyOf(await sdk.searchPlaces(list)));
  // @ts-expect-error counts have no geometry
  const wrong = await sdk.countPlacesCountries({ client, query: { format: "geojson" } });
  if (wrong.response.status !== 400) throw new Error("an undocumented format is accepted");
  return {
    lines: linesOf(searchPlaces),
    searchPlaces,
    searchPlacesBuildings: listOf(bodyOf(await sdk.searchPlacesBuildings(list))),
    searchBuildings: listOf(bodyOf(await sdk.searchBuildings(list))),
    searchAddresses: listOf(bodyOf(await sdk.searchAddresses(list))),
    searchBase: listOf(bodyOf(await sdk.searchBase(list))),
    searchTransportation: listOf(bodyOf(await sdk.searchTransportation(list))),
    searchDivisions: listOf(bodyOf(await sdk.searchDivisions(list))),
    exportPlaces: listOf(bodyOf(await sdk.exportPlaces({ client, query: EXPORT }))),
    exportPlacesBuildings: listOf(bodyOf(await sdk.exportPlacesBuildings({ client, query: EXPORT }))),
    exportBuildings: listOf(bodyOf(await sdk.exportBuildings({ client, query: EXPORT }))),
    exportAddresses: listOf(bodyOf(await sdk.exportAddresses({ client, query: EXPORT }))),
    exportBase: listOf(bodyOf(await sdk.exportBase({ client, query: EXPORT }))),
    exportTransportation: listOf(bodyOf(await sdk.exportTransportation({ client, query: EXPORT }))),
    exportDivisions: listOf(bodyOf(await sdk.exportDivisions({ client, query: EXPORT }))),
    countPlacesBrands: listOf(bodyOf(await sdk.countPlacesBrands(list))),
    countPlacesCategories: listOf(bodyOf(await sdk.countPlacesCategories(list))),
    countPlacesCountries: listOf(bodyOf(await sdk.countPlacesCountries(list))),
    getPlaces: bodyOf(await sdk.getPlaces(byId(ids.Places))),
    getPlacesBuildings: bodyOf(await sdk.getPlacesBuildings(byId(ids.PlacesBuildings))),
    getBuildings: bodyOf(await sdk.getBuildings(byId(ids.Buildings))),
    getAddresses: bodyOf(await sdk.getAddresses(byId(ids.Addresses))),
    getBase: bodyOf(await sdk.getBase(byId(ids.Base))),
    getTransportation: bodyOf(await sdk.getTransportation(byId(ids.Transportation))),
    getDivisions: bodyOf(await sdk.getDivisions(byId(ids.Divisions))),
    autocomplete: bodyOf(await sdk.autocomplete({ client, query: GEOCODE.autocomplete })),
    search: bodyOf(await sdk.search({ client, query: GEOCODE.search })),
    reverse: bodyOf(await sdk.reverse({ client, query: GEOCODE.reverse })),
    photonApi: bodyOf(await sdk.photonApi({ client, query: GEOCODE.photonApi })),
    atSea: idsAt(bodyOf(await sdk.reverse({ client, query: SEA }))),
    photonStatus: bodyOf(await sdk.photonStatus({ client })),
    photonReverse: bodyOf(await sdk.photonReverse({ client, query: GEOCODE.photonReverse })),
    counts: bodyOf(await sdk.counts({ client, query: GEOCODE.counts })),
    changes: bodyOf(await sdk.changes({ client, query: GEOCODE.changes })),
    nominatimSearch: bodyOf(await sdk.nominatimSearch({ client, query: GEOCODE.nominatimSearch })),
    nominatimReverse: bodyOf(await sdk.nominatimReverse({ client, query: GEOCODE.nominatimReverse })),
    nominatimLookup: bodyOf(await sdk.nominatimLookup({ client, query: GEOCODE.nominatimLookup })),
    nominatimStatus: bodyOf(await sdk.nominatimStatus({ client, query: GEOCODE.nominatimStatus })),
    getTile: await tileOf(bodyOf(await sdk.getTile({ client, path: TILE, parseAs: "blob" }))),
  };
};
