/** What the maker of a site set in `map.json`: `cairn site` writes it into the page's head. @module */
import type { BBox } from "../../../data/format/bbox.ts";
import type { View } from "../address/index.ts";
import { LANGUAGES, type Language } from "../text/index.ts";

interface MapSettings {
  readonly title?: string;
  readonly view?: View;
  /** Of the map's area, where no view is set. */
  readonly box?: BBox;
  /** Of the theme: `#rrggbb`. */
  readonly colors?: { readonly light: string; readonly dark: string };
  readonly languages?: readonly Language[];
}

const content = document.querySelector<HTMLMetaElement>('meta[name="cairn-map"]')?.content;

export const mapSettings: MapSettings = content ? JSON.parse(content) : {};

/** What the page may be read in, the first where a reader has none of them. */
export const offeredLanguages: readonly Language[] = mapSettings.languages ?? LANGUAGES;
