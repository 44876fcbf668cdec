/** Layers of the base map: at low zooms the shipped world, above it land, water, buildings and borders of the dataset. @module */
import type { FilterSpecification, LayerSpecification } from "maplibre-gl";
import { all, byZoom, growing, inLocal, inWorld, isA, oneOf, plainLine, ROUND } from "./expressions.ts";
import type { Palette } from "./palette.ts";
import { roadLayers, tunnelLayers } from "./road-layers.ts";

/** Returns the layers of the base map, lowest first. They are all below the results. */
export function baseMapLayers(colour: Palette): LayerSpecification[] {
  return [
    // the sea is part of the world tiles: until they load nothing looks like water
    { id: "paper", type: "background", paint: { "background-color": colour.land } },
    {
      id: "world-sea",
      type: "fill",
      ...inWorld("sea"),
      paint: { "fill-color": colour.water, "fill-antialias": false },
    },
    { id: "world-land", type: "fill", ...inWorld("land"), paint: { "fill-color": colour.land } },
    ...worldWater(colour),
    {
      id: "ground",
      type: "fill",
      ...inLocal("ground"),
      paint: {
        "fill-color": ["match", ["get", "kind"], "sea", colour.water, colour.land],
        // Edges of tiles would be visible as lines.
        "fill-antialias": false,
      },
    },
    area("land", "land", colour.land, oneOf("subtype", "land")),
    ...coverLayers(colour),
    area("water", "water", colour.water),
    {
      id: "stream",
      type: "line",
      ...inLocal("water"),
      filter: all(isA("LineString"), oneOf("subtype", "river", "stream", "canal", "water")),
      layout: ROUND,
      paint: plainLine(colour.water, 12, 0.8, 18, 6),
    },
    ...tunnelLayers(colour),
    {
      id: "tree",
      type: "circle",
      ...inLocal("land"),
      minzoom: 16,
      filter: oneOf("subtype", "tree"),
      paint: { "circle-color": colour.tree, "circle-radius": growing(16, 1.5, 20, 12), "circle-opacity": 0.7 },
    },
    {
      id: "building",
      type: "fill",
      ...inLocal("building"),
      paint: {
        "fill-color": colour.building,
        "fill-outline-color": colour.buildingEdge,
        "fill-opacity": byZoom(14, 0.4, 15, 1),
      },
    },
    ...roadLayers(colour),
    {
      id: "world-border",
      type: "line",
      ...inWorld("border"),
      maxzoom: 11,
      layout: { "line-join": "round" },
      paint: {
        "line-color": colour.border,
        "line-width": byZoom(0, 0.5, 6, 1.2),
        "line-opacity": byZoom(9, 1, 11, 0),
      },
    },
    {
      id: "division-border",
      type: "line",
      ...inLocal("division_area"),
      filter: all(isA("Polygon"), oneOf("class", "land")),
      layout: { "line-join": "round" },
      paint: {
        "line-color": colour.border,
        "line-width": ["match", ["get", "subtype"], ["country", "dependency"], 1.6, ["region", "county"], 1.2, 0.8],
        "line-dasharray": [3, 2],
        "line-opacity": 0.7,
      },
    },
    {
      id: "boundary",
      type: "line",
      ...inLocal("division_boundary"),
      paint: { "line-color": colour.border, "line-width": 1.2, "line-dasharray": [3, 2] },
    },
  ];
}

/** Returns layers for lakes, until the dataset's own water begins, and for rivers, until their coarse lines would show. */
function worldWater(colour: Palette): LayerSpecification[] {
  const isDue: FilterSpecification = ["<=", ["get", "zoom"], ["zoom"]];
  return [
    {
      id: "world-lake",
      type: "fill",
      ...inWorld("lake"),
      maxzoom: 12,
      filter: isDue,
      paint: { "fill-color": colour.water, "fill-opacity": byZoom(9, 1, 12, 0) },
    },
    {
      id: "world-river",
      type: "line",
      ...inWorld("river"),
      minzoom: 2,
      maxzoom: 9,
      filter: isDue,
      layout: ROUND,
      paint: {
        "line-color": colour.water,
        "line-width": byZoom(2, 0.6, 9, 2),
        "line-opacity": byZoom(8, 1, 9, 0),
      },
    },
  ];
}

function coverLayers(colour: Palette): LayerSpecification[] {
  const cover = {
    forest: colour.wood,
    mangrove: colour.wood,
    shrub: colour.grass,
    grass: colour.grass,
    moss: colour.grass,
    crop: colour.farm,
    barren: colour.rock,
    urban: colour.built,
    wetland: colour.wetland,
    snow: colour.snow,
  };
  const shades = Object.entries(cover).flat();
  return [
    {
      id: "land-cover",
      type: "fill",
      ...inLocal("land_cover"),
      paint: { "fill-color": ["match", ["get", "subtype"], ...shades, colour.land] as never },
    },
    area(
      "built",
      "land_use",
      colour.built,
      oneOf(
        "subtype",
        "residential",
        "developed",
        "construction",
        "brownfield",
        "landfill",
        "transportation",
        "railway",
      ),
    ),
    area(
      "civic",
      "land_use",
      colour.civic,
      oneOf(
        "subtype",
        "commercial",
        "retail",
        "education",
        "medical",
        "religious",
        "entertainment",
        "square",
        "pedestrian",
      ),
    ),
    area("farm", "land_use", colour.farm, oneOf("subtype", "agriculture", "horticulture", "aquaculture")),
    area(
      "park",
      "land_use",
      colour.park,
      all(oneOf("subtype", "park", "recreation", "golf", "cemetery", "protected", "campground", "managed"), [
        "!",
        oneOf("class", "marina", "stadium"),
      ] as FilterSpecification),
    ),
    area("grass", "land_use", colour.grass, oneOf("subtype", "grass", "flowerbed")),
    area("grassland", "land", colour.grass, oneOf("subtype", "grass", "shrub")),
    area("wood", "land", colour.wood, oneOf("subtype", "forest")),
    area("forest", "land_use", colour.wood, oneOf("subtype", "forest")),
    area("wetland", "land", colour.wetland, oneOf("subtype", "wetland")),
    area("sand", "land", colour.sand, oneOf("subtype", "sand"), oneOf("class", "beach", "sand", "dune")),
    area(
      "rock",
      "land",
      colour.rock,
      oneOf("subtype", "rock"),
      oneOf("class", "bare_rock", "scree", "shingle", "stone"),
    ),
    area("snow", "land", colour.snow, oneOf("subtype", "glacier")),
    area("pitch", "land_use", colour.pitch, oneOf("class", "pitch", "track", "playground", "green", "fairway")),
  ];
}

/** Returns a layer of the polygons that match one of the filters, or of all without filters. */
function area(id: string, layer: string, fill: string, ...filters: FilterSpecification[]): LayerSpecification {
  const polygons = isA("Polygon");
  return {
    id,
    type: "fill",
    ...inLocal(layer),
    filter: filters.length === 0 ? polygons : all(polygons, ["any", ...filters] as FilterSpecification),
    paint: { "fill-color": fill },
  };
}
