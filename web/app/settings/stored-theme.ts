/** Theme and palette of the base map that the user chose, stored in the browser. @module */
import { readStored, store } from "./stored.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const BASE_MAPS = ["full", "muted"] as const;
export type BaseMap = (typeof BASE_MAPS)[number];

const THEME_KEY = "cairn-theme";
const BASE_MAP_KEY = "cairn-base-map";

/** Returns the stored theme; `system` if there is none. */
export const storedTheme = (): Theme => kept(THEME_KEY, THEMES);

/** Returns the stored palette; `full` if there is none. */
export const storedBaseMap = (): BaseMap => kept(BASE_MAP_KEY, BASE_MAPS);

export const storeTheme = (theme: Theme): void => store(THEME_KEY, theme);

export const storeBaseMap = (baseMap: BaseMap): void => store(BASE_MAP_KEY, baseMap);

function kept<T extends string>(key: string, choices: readonly [T, ...T[]]): T {
  return choices.find((known) => known === readStored(key)) ?? choices[0];
}
