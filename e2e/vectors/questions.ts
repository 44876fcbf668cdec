/** The questions of the test vectors. @module */
import type { Geometry, Position } from "../../data/format/geometry.ts";
import type { Asked, VectorQuestion } from "./answers.ts";

const MONACO = { lat: 43.7384, lng: 7.4246 } as const;
const HALF_CIRCUMFERENCE = 20_015_086;

const ofPlaces = (searches: readonly Asked[]): VectorQuestion[] =>
  searches.map((search) => ({ collection: "place", search }));
const ofBuildings = (searches: readonly Asked[]): VectorQuestion[] =>
  searches.map((search) => ({ collection: "building", search }));

const CIRCLES = [
  ...[0, 50, 150, 300, 500, 700, 900, 1300].map((radius) => ({ ...MONACO, radius })),
  ...[0, 5, 10, 20, 25].map((offset) => ({ ...MONACO, radius: 2000, offset, limit: 5 })),
  { lat: 43.7395874, lng: 7.4278595, radius: 0 },
  { lat: 43.7395874, lng: 7.4278595, radius: 0.001 },
  { lat: 43.7395874, lng: 7.4278596, radius: 0.01 },
  { ...MONACO, radius: HALF_CIRCUMFERENCE, limit: 100 },
  { ...MONACO, radius: HALF_CIRCUMFERENCE, limit: 0 },
  { ...MONACO, radius: 2000, country: "MC", limit: 3 },
  { ...MONACO, radius: 2000, country: "FJ" },
  { lat: 0, lng: 0, radius: 5_000_000, limit: 4 },
  { lat: -43.7384, lng: -172.5754, radius: HALF_CIRCUMFERENCE, limit: 6, offset: 24 },
];

const ANTIMERIDIAN = [
  ...[180, -180].flatMap((lng) => [
    { lat: -16.8, lng, radius: 20 },
    { lat: -16.8, lng, radius: 60 },
    { lat: -16.8, lng, radius: 5000 },
  ]),
  { lat: -16.8, lng: 179.9999, radius: 100 },
  { lat: -16.8, lng: -179.9999, radius: 100 },
  { lat: -16.79, lng: 179.99, radius: 10 },
  { lat: -16.79, lng: 179.99, radius: 10, limit: 1 },
  { lat: -16.79, lng: 179.99, radius: 10, limit: 1, offset: 1 },
];

const POLES = [
  { lat: 90, lng: 0, radius: 0 },
  { lat: 90, lng: 77, radius: 0 },
  { lat: 90, lng: 0, radius: 120 },
  { lat: 90, lng: -135, radius: 200 },
  { lat: 89.9995, lng: -45, radius: 100 },
  { lat: 89.9995, lng: -45, radius: 250 },
  { lat: 90, lng: 0, radius: 5_200_000, limit: 5 },
  { lat: -90, lng: 0, radius: HALF_CIRCUMFERENCE, limit: 7, offset: 2 },
];

const BUILDINGS = [
  ...[0, 100, 400, 800, 1300].map((radius) => ({ ...MONACO, radius })),
  { ...MONACO, radius: HALF_CIRCUMFERENCE, limit: 4, offset: 8 },
  { lat: -16.81, lng: 180, radius: 0 },
  { lat: -16.81, lng: -180, radius: 0 },
  { lat: -16.81, lng: 179.9995, radius: 0 },
  { lat: -16.81, lng: -179.998, radius: 200 },
  { lat: -16.8, lng: 179.99, radius: 2000 },
  // A long geometry: inside, in its holes, on an island, beside it.
  { lat: -16.8212, lng: 179.9712, radius: 0 },
  { lat: -16.8202, lng: 179.9695, radius: 0 },
  { lat: -16.8202, lng: 179.9695, radius: 150 },
  { lat: -16.819, lng: 179.9712, radius: 2 },
  { lat: -16.8215, lng: 179.974, radius: 0 },
  { lat: -16.8231, lng: 179.9725, radius: 60 },
  { country: "MC", limit: 4 },
  { country: "MC", limit: 4, offset: 6 },
  { country: "FJ" },
  { country: "FJ", class: "public" },
  { country: "MC", class: "apartments" },
];

const LISTS = [
  { country: "MC" },
  { country: "MC", limit: 6, offset: 20 },
  { country: "MC", limit: 0 },
  { country: "MC", offset: 22 },
  { country: "FJ" },
  { country: "ZZ" },
  { limit: 100 },
  { limit: 7, offset: 20 },
];

const TERMS = [
  { country: "MC", name: "cafe" },
  { country: "MC", name: "CAFÉ de" },
  { country: "MC", name: "pharmacie" },
  { country: "MC", name: "m" },
  { country: "FJ", name: "strasse" },
  { country: "FJ", name: "Lodz" },
  { country: "FJ", name: "タワー" },
  { country: "FJ", name: "京" },
  { country: "FJ", name: "twin" },
  { country: "ZZ", name: "πολος" },
  { country: "ZZ", name: "donaudampfschifffahrtsgesellschaft" },
  { country: "ZZ", name: "donaudampfschifffahrtsgericht" },
  { country: "ZZ", name: "donaudampf" },
  { country: "MC", category: "pharmacy" },
  { country: "FJ", category: "cafe" },
  { country: "MC", category: ["bar", "hotel"], limit: 4, offset: 1 },
  { country: "MC", name: "le", category: "bar" },
  { category: "cafe", limit: 3, offset: 1 },
  { country: "FJ", brand: "TWIN & TWIN" },
  { ...MONACO, radius: 900, category: "restaurant" },
  { ...MONACO, radius: 900, name: "b" },
  { lat: -16.8, lng: 180, radius: 5000, category: "cafe" },
];

/** All questions, in order. */
export const QUESTIONS: readonly VectorQuestion[] = [
  ...ofPlaces([...CIRCLES, ...ANTIMERIDIAN, ...POLES, ...LISTS, ...TERMS]),
  ...ofBuildings(BUILDINGS),
  ...["32828dc5-446c-501b-a4e2-81fabd618f9e", "zz-île", "fj-on", "nothing"].map((get) => ({
    collection: "place",
    get,
  })),
  ...["fj-hall", "fj-coast", "32828dc5-446c-501b-a4e2-81fabd618f9e"].map((get) => ({ collection: "building", get })),
  { collection: "place", cells: { chars: 1 } },
  { collection: "place", cells: { chars: 6, country: "MC" } },
  { collection: "place", cells: { chars: 3, country: "FJ" } },
  { collection: "place", cells: { chars: 6, ...MONACO, radius: 900 } },
  { collection: "place", cells: { chars: 5, lat: 90, lng: 0, radius: 200 } },
  { collection: "building", cells: { chars: 5 } },
  { collection: "building", cells: { chars: 6, country: "MC" } },
];

/** Positions and geometries to measure. */
export const DISTANCES: readonly { readonly from: Position; readonly geometry: Geometry }[] = [
  { from: [0, 0], geometry: { type: "Point", coordinates: [0, 0] } },
  { from: [0, 0], geometry: { type: "Point", coordinates: [1, 0] } },
  { from: [0, 0], geometry: { type: "Point", coordinates: [180, 0] } },
  { from: [7.4246, 43.7384], geometry: { type: "Point", coordinates: [7.4278595, 43.7395874] } },
  { from: [179.9995, -16.8], geometry: { type: "Point", coordinates: [-179.9995, -16.8] } },
  { from: [0, 90], geometry: { type: "Point", coordinates: [123, 89.999] } },
  {
    from: [10, 50],
    geometry: {
      type: "MultiPoint",
      coordinates: [
        [11, 51],
        [9, 50.5],
      ],
    },
  },
  {
    from: [10, 50],
    geometry: {
      type: "LineString",
      coordinates: [
        [9, 49],
        [11, 50.5],
      ],
    },
  },
  {
    from: [10, 60],
    geometry: {
      type: "LineString",
      coordinates: [
        [-60, 50],
        [80, 50],
      ],
    },
  },
  {
    from: [179.5, 0],
    geometry: {
      type: "LineString",
      coordinates: [
        [179, 1],
        [-179, 1],
      ],
    },
  },
  {
    from: [10, 50],
    geometry: {
      type: "MultiLineString",
      coordinates: [
        [
          [12, 50],
          [12, 51],
        ],
        [
          [9, 49],
          [9, 51],
        ],
      ],
    },
  },
  { from: [0.5, 0.5], geometry: { type: "Polygon", coordinates: [square(0, 0, 1)] } },
  { from: [2, 0.5], geometry: { type: "Polygon", coordinates: [square(0, 0, 1)] } },
  { from: [5, 5], geometry: { type: "Polygon", coordinates: [square(0, 0, 10), square(4, 4, 2)] } },
  { from: [180, 0.5], geometry: { type: "MultiPolygon", coordinates: [[square(-180, 0, 1)]] } },
  { from: [-180, 0.5], geometry: { type: "MultiPolygon", coordinates: [[square(179, 0, 1)]] } },
  {
    from: [10, 50],
    geometry: {
      type: "GeometryCollection",
      geometries: [
        { type: "Point", coordinates: [10, 51] },
        { type: "Polygon", coordinates: [square(9, 48, 1.5)] },
      ],
    },
  },
];

function square(west: number, south: number, size: number): Position[] {
  const [east, north] = [west + size, south + size];
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}
