/**
 * The colours of the map. One accent colour marks results; the base map is subdued.
 * @module
 */

const LIGHT = {
  land: "#f6f3ec",
  water: "#b4d6e4",
  border: "#b3a7b5",
  park: "#d8e8c8",
  wood: "#c7dfb8",
  grass: "#e1ecd0",
  farm: "#efedd8",
  sand: "#f3e8c6",
  rock: "#e8e2d8",
  snow: "#f8fbfc",
  wetland: "#d0e2d3",
  built: "#f0ebe3",
  civic: "#f0e6e2",
  pitch: "#c2dfba",
  tree: "#a9cc9a",
  building: "#e4dcd0",
  buildingEdge: "#d3c8b8",
  roadCase: "#d8cfc1",
  road: "#ffffff",
  mainRoad: "#fff3d1",
  mainRoadCase: "#e2cd9e",
  motorway: "#fbd9a0",
  motorwayCase: "#dfb266",
  path: "#c9b7a0",
  rail: "#b5aea6",
  railGap: "#f6f3ec",
  ferry: "#86b5ca",
  text: "#43494d",
  quietText: "#6f6a75",
  waterText: "#44788f",
  greenText: "#4c7041",
  halo: "#fcfaf6",
  accent: "#c2410c",
  onAccent: "#ffffff",
  overlay: "#0b6b83",
  foodPlace: "#a2560b",
  shopPlace: "#2b5fa8",
  healthPlace: "#b3324a",
  stayPlace: "#8a3f8f",
  culturePlace: "#6a4fb3",
  naturePlace: "#3c7a3a",
  travelPlace: "#3f6285",
  publicPlace: "#5d6670",
  otherPlace: "#6d6a66",
};

export type Palette = Readonly<typeof LIGHT>;

const DARK: Palette = {
  land: "#20262a",
  water: "#10212c",
  border: "#6a6272",
  park: "#22332b",
  wood: "#1f3429",
  grass: "#26332c",
  farm: "#2a2e2a",
  sand: "#37342b",
  rock: "#2b2e30",
  snow: "#39434a",
  wetland: "#20322f",
  built: "#252b2f",
  civic: "#2b2c31",
  pitch: "#294034",
  tree: "#2f4a3a",
  building: "#30373c",
  buildingEdge: "#3c454b",
  roadCase: "#191e21",
  road: "#434c52",
  mainRoad: "#5a5648",
  mainRoadCase: "#1b1d1e",
  motorway: "#73603c",
  motorwayCase: "#1b1d1e",
  path: "#53504a",
  rail: "#5c6368",
  railGap: "#20262a",
  ferry: "#2e4f61",
  text: "#c3cacd",
  quietText: "#99a0a8",
  waterText: "#7aa7bf",
  greenText: "#88ad85",
  halo: "#181d20",
  accent: "#ff8a4c",
  onAccent: "#2a1206",
  overlay: "#56c8e0",
  foodPlace: "#d08a45",
  shopPlace: "#6f9ede",
  healthPlace: "#dd7489",
  stayPlace: "#c487c9",
  culturePlace: "#a591e2",
  naturePlace: "#7cb377",
  travelPlace: "#86a6c6",
  publicPlace: "#9aa4ae",
  otherPlace: "#98958f",
};

/** Names of colours that stay as they are in a muted palette. */
const KEPT: ReadonlySet<string> = new Set(["accent", "onAccent", "overlay"]);
/** Saturation of a muted colour, as a share of the original. */
const HINT = 0.12;

/** Returns the colours of the light or dark scheme. If muted, those of the base map are almost grey, and as light as before. */
export function palette(isDark: boolean, isMuted = false): Palette {
  const colours = isDark ? DARK : LIGHT;
  if (!isMuted) return colours;
  const muted = Object.entries(colours).map(([name, colour]) => [name, KEPT.has(name) ? colour : mutedColour(colour)]);
  return Object.fromEntries(muted);
}

function mutedColour(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const grey = 0.3 * red + 0.59 * green + 0.11 * blue;
  return `rgb(${[red, green, blue].map((part) => Math.round(grey + HINT * (part - grey))).join(",")})`;
}
