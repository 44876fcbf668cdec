/** Rows of two towns, with every kind of row that searches, suggestions and tiles read. @module */
import type { Geometry, Position } from "../../data/format/geometry.ts";
import type { SmallRow, SmallRows } from "../../pipeline/testing/small-dataset/index.ts";

interface Town {
  readonly country: string;
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
}

export const MONACO: Town = { country: "MC", name: "Monaco", lon: 7.4246, lat: 43.7384 };
const BOULDER: Town = { country: "US", name: "Boulder", lon: -105.2797, lat: 40.0176 };
const TOWNS = [MONACO, BOULDER];

/** Rows of each kind per town: enough for several slices of each run. */
const ROWS = 16;
/** Distance of adjacent rows in degrees. */
const STEP = 0.0002;

const KINDS = ["Hotel", "Casino", "Pharmacie", "Café"];
const CATEGORIES = ["hotel", "casino", "pharmacy", "cafe"];
const STREETS = ["Rue Grimaldi", "Goss Street", "Avenue de la Costa", "Pearl Street"];

type Make = (town: Town, i: number) => Omit<SmallRow, "id" | "country">;

const at = <Item>(items: readonly Item[], i: number): Item => items[i % items.length] as Item;
const sources = [{ property: "", dataset: "OpenStreetMap", record_id: "n1" }];
const round = (degrees: number) => Math.round(degrees * 1e7) / 1e7;
const positionAt = ({ lon, lat }: Town, i: number): Position => [round(lon + (i % 4) * STEP), round(lat + i * STEP)];
const pointAt = (town: Town, i: number): Geometry => ({ type: "Point", coordinates: positionAt(town, i) });

function lineAt(town: Town, i: number): Geometry {
  const [lon, lat] = positionAt(town, i);
  return {
    type: "LineString",
    coordinates: [
      [lon, lat],
      [round(lon + STEP), round(lat + STEP)],
    ],
  };
}

function squareAt(town: Town, i: number, size = STEP / 2): Geometry {
  const [lon, lat] = positionAt(town, i);
  const [west, south, east, north] = [lon - size, lat - size, lon + size, lat + size].map(round) as [
    number,
    number,
    number,
    number,
  ];
  return {
    type: "Polygon",
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

const divisionId = ({ country }: Town, i: number) => `${country.toLowerCase()}-division-${i}`;
/** The first is the country, the second the town, the others are neighbourhoods. */
const subtypeAt = (i: number) => ["country", "locality"][i] ?? "neighborhood";
const divisionName = ({ name }: Town, i: number) => [`Land of ${name}`, name][i] ?? `${name} quarter ${i}`;

const place: Make = (town, i) => ({
  geometry: pointAt(town, i),
  columns: {
    version: 1,
    sources,
    names: { primary: `${at(KINDS, i)} ${town.name} ${i}` },
    categories: { primary: at(CATEGORIES, i), alternate: ["sight"] },
    confidence: i / ROWS,
    brand: i % 2 ? { wikidata: `Q${i % 4}`, names: { primary: `Brand ${i % 4}` } } : null,
    addresses: [{ freeform: `${i} ${at(STREETS, i)}`, locality: town.name, country: town.country }],
  },
});

const MAKERS: Readonly<Record<string, Make>> = {
  place,
  place_building: (town, i) => ({
    geometry: squareAt(town, i),
    columns: {
      ...place(town, i).columns,
      ext_building: { id: `b${i}`, distance: 0 },
      ext_place_geometry: pointAt(town, i),
    },
  }),
  building: (town, i) => ({
    geometry: squareAt(town, i),
    columns: { version: 1, sources, names: { primary: `House ${i}` }, height: 3 * i, num_floors: i },
  }),
  address: (town, i) => ({
    geometry: pointAt(town, i),
    columns: {
      version: 1,
      sources,
      number: String(10 + i),
      street: at(STREETS, i),
      postcode: "98000",
      postal_city: town.name,
      address_levels: [{ value: town.name }],
    },
  }),
  infrastructure: (town, i) => ({
    geometry: pointAt(town, i),
    columns: { version: 1, sources, subtype: "bridge", class: "bridge", names: { primary: `Bridge ${i}` } },
  }),
  land: (town, i) => ({
    geometry: squareAt(town, i),
    columns: { version: 1, sources, subtype: "park", class: "park", names: { primary: `Park ${i}` } },
  }),
  water: (town, i) => ({
    geometry: squareAt(town, i),
    columns: { version: 1, sources, subtype: "lake", class: "lake", names: { primary: `Lake ${i}` } },
  }),
  segment: (town, i) => ({
    geometry: lineAt(town, i),
    columns: { version: 1, sources, subtype: "road", class: "residential", names: { primary: at(STREETS, i) } },
  }),
  connector: (town, i) => ({ geometry: pointAt(town, i), columns: { version: 1, sources } }),
  division: (town, i) => ({
    geometry: pointAt(town, i),
    columns: {
      version: 1,
      sources,
      subtype: subtypeAt(i),
      names: { primary: divisionName(town, i), common: { fr: `${divisionName(town, i)} fr` } },
      population: 1000 * (ROWS - i),
      hierarchies: [
        [0, 1].slice(0, i + 1).map((above) => ({
          division_id: divisionId(town, above),
          subtype: subtypeAt(above),
          name: divisionName(town, above),
        })),
      ],
    },
  }),
  division_area: (town, i) => ({
    geometry: squareAt(town, i, STEP * (ROWS - i)),
    columns: {
      version: 1,
      sources,
      subtype: subtypeAt(i),
      class: "land",
      is_land: true,
      division_id: divisionId(town, i),
      names: { primary: divisionName(town, i) },
    },
  }),
  division_boundary: (town, i) => ({
    geometry: lineAt(town, i),
    columns: { version: 1, sources, subtype: "locality", class: "land", division_ids: [divisionId(town, i)] },
  }),
};

const rowsOf = (kind: string, make: Make): SmallRow[] =>
  TOWNS.flatMap((town) =>
    Array.from({ length: ROWS }, (_, i) => {
      const own = { country: town.country, ...make(town, i) };
      return { id: kind === "division" ? divisionId(town, i) : `${town.country.toLowerCase()}-${kind}-${i}`, ...own };
    }),
  );

/** Returns the rows of the two towns. */
export function townRows(): SmallRows {
  return Object.fromEntries(Object.entries(MAKERS).map(([kind, make]) => [kind, rowsOf(kind, make)]));
}
