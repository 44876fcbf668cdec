/** Settings from `map.json` of a site: `cairn site` writes them into the head of the page. @module */
import type { BBox } from "../../../data/format/bbox.ts";
import type { View } from "../address/index.ts";
import { LANGUAGES, type Language } from "../text/index.ts";

interface MapSettings {
  readonly title?: string;
  readonly view?: View;
  /** Of the map's area, if no view is set. */
  readonly box?: BBox;
  /** Of the theme: `#rrggbb`. */
  readonly colors?: { readonly light: string; readonly dark: string };
  readonly languages?: readonly Language[];
}

const content = document.querySelector<HTMLMetaElement>('meta[name="cairn-map"]')?.content;

export const mapSettings: MapSettings = content ? JSON.parse(content) : {};

/** The languages of the page; the first is the default if the user knows no other. */
export const offeredLanguages: readonly Language[] = mapSettings.languages ?? LANGUAGES;
