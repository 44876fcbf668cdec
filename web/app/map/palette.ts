/**
 * The map's colours. One accent, kept for what was searched; the ground stays quiet.
 * @module
 */

const LIGHT = {
  land: "#f5f2ec",
  water: "#bcd8e6",
  border: "#c9c0b2",
  green: "#dfe9d0",
  wood: "#cfe0bf",
  sand: "#efe6c8",
  built: "#efeae2",
  building: "#e2dbd0",
  buildingEdge: "#d2c9bb",
  roadCase: "#d9d1c4",
  road: "#ffffff",
  majorRoad: "#fbe9c6",
  path: "#cdbfae",
  rail: "#b9b3ab",
  text: "#4a4f52",
  waterText: "#4d7f99",
  halo: "#fbfaf7",
  accent: "#c2410c",
  onAccent: "#ffffff",
};

export type Palette = Readonly<typeof LIGHT>;

const DARK: Palette = {
  land: "#1f2427",
  water: "#13242e",
  border: "#42494e",
  green: "#233028",
  wood: "#22332a",
  sand: "#33312a",
  built: "#23282b",
  building: "#2e3438",
  buildingEdge: "#3a4146",
  roadCase: "#191d20",
  road: "#3f474c",
  majorRoad: "#575146",
  path: "#4c4a46",
  rail: "#555b60",
  text: "#b5bcc0",
  waterText: "#6f9cb5",
  halo: "#1a1e21",
  accent: "#ff8a4c",
  onAccent: "#2a1206",
};

export function palette(isDark: boolean): Palette {
  return isDark ? DARK : LIGHT;
}
