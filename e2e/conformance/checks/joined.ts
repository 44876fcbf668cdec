/**
 * Places with the building that contains them, otherwise the nearest within 25 m.
 * @module
 */
import { type Check, check, type Kit } from "../check.ts";
import { type Item, itemsOf } from "../client.ts";
import { distanceMeters } from "../distance.ts";
import { expect, NotApplicable } from "../expect.ts";
import { at, isObject, numberAt, textAt } from "../json.ts";
import { compareIds, type Oracle } from "../oracle.ts";
import { NEAREST_METERS, type Neighbour, pointOf } from "../place-buildings.ts";
import type { SourceRow } from "../source-rows.ts";

/** Distance to the building: two roundings to a millimetre. */
const TOLERANCE_METERS = 0.0011;
const COPIED = ["height", "num_floors", "num_floors_underground", "class", "subtype"];

/** Makes the checks of the join. */
export function joinedChecks(_oracle: Oracle): Check[] {
  return [
    check("places/buildings: every place with a building within 25 m, and no other", async (kit) => {
      const joined = await allJoined(kit);
      for (const place of kit.oracle.rowsOf(["place"])) {
        const meters = kit.oracle.neighboursOf(place)[0]?.meters ?? Number.POSITIVE_INFINITY;
        if (Math.abs(meters - NEAREST_METERS) < TOLERANCE_METERS) continue;
        expect.equal(
          `${place.id}, ${meters} m from a building: is there`,
          joined.has(place.id),
          meters < NEAREST_METERS,
        );
      }
    }),
    check("places/buildings: geometry and ext_building are the nearest building's", async (kit) => {
      const joined = await allJoined(kit);
      for (const place of kit.oracle.rowsOf(["place"])) {
        const item = joined.get(place.id);
        if (item) compareBuilding(place, item, kit.oracle.neighboursOf(place));
      }
    }),
    check("places/buildings: order and ext_distance are of the building's geometry", async ({ client }) => {
      const items = itemsOf(await client.get("/places/buildings", { lat: "40.017", lng: "-105.28", limit: "100" }));
      if (items.length === 0) throw new NotApplicable("nothing there");
      let before = { id: "", meters: 0 };
      for (const { id, properties, geometry } of items) {
        const shown = numberAt(properties, "ext_distance") ?? -1;
        const meters = distanceMeters([-105.28, 40.017], JSON.parse(JSON.stringify(geometry)));
        expect.true(`${id}: ext_distance`, Math.abs(shown - meters) < TOLERANCE_METERS, shown, String(meters));
        expect.true(
          `${id}: order`,
          (shown - before.meters || compareIds(id, before.id)) > 0,
          [before, id],
          "by distance, then id",
        );
        before = { id, meters: shown };
      }
    }),
  ];
}

async function allJoined({ client }: Kit): Promise<Map<string, Item>> {
  const everywhere = { lat: "0", lng: "0", radius: "30000000", limit: "25000" };
  const includes = "ext_building,ext_place_geometry";
  const items = itemsOf(await client.get("/places/buildings", { ...everywhere, includes }));
  if (items.length === 0) throw new NotApplicable("no place has a building");
  return new Map(items.map((item) => [item.id, item]));
}

function compareBuilding(place: SourceRow, item: Item, neighbours: readonly Neighbour[]): void {
  const { ext_building: shown, ext_place_geometry: point } = item.properties;
  const least = neighbours[0]?.meters ?? Number.NaN;
  const own = neighbours.find(({ building }) => building.id === textAt(shown, "id"));
  const isNearest = own !== undefined && own.meters <= least + TOLERANCE_METERS;
  expect.true(`${place.id}: ext_building`, isNearest, shown, `${neighbours[0]?.building.id} at ${least}`);
  if (!own) return;
  const meters = numberAt(shown, "distance") ?? Number.NaN;
  expect.true(
    `${place.id}: ext_building.distance`,
    Math.abs(meters - own.meters) < TOLERANCE_METERS,
    meters,
    String(own.meters),
  );
  for (const name of COPIED)
    expect.same(`${place.id}: ext_building.${name}`, at(shown, name), own.building.properties[name]);
  expect.same(`${place.id}: geometry`, item.geometry, JSON.parse(JSON.stringify(own.building.geometry)));
  expect.true(`${place.id}: ext_place_geometry`, isObject(point), point, "a point");
  expect.same(`${place.id}: ext_place_geometry`, point, { type: "Point", coordinates: [...pointOf(place)] });
}
