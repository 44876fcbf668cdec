/** Settings from `map.json` of a site: `cairn site` writes them into the head of the page. @module */
import type { BBox } from "../../../data/format/bbox.ts";
import type { View } from "../address/index.ts";
import { LANGUAGES, type Language } from "../text/index.ts";

interface MapSettings {
  readonly title?: string;
  /** One sentence for the first visit. */
  readonly description?: string;
  readonly view?: View;
  /** Of the map's area, if no view is set. */
  readonly box?: BBox;
  /** Of the theme: `#rrggbb`. */
  readonly colors?: { readonly light: string; readonly dark: string };
  readonly languages?: readonly Language[];
  /** A page for customers, with the rows of a table only. */
  readonly shop?: {
    /** Address of a picture, from the folder of the page. */
    readonly logo?: string;
    /** Columns that have a filter. */
    readonly filters?: readonly string[];
    /** Whether the page has its tools too. */
    readonly console?: boolean;
  };
}

const content = document.querySelector<HTMLMetaElement>('meta[name="cairn-map"]')?.content;

export const mapSettings: MapSettings = content ? JSON.parse(content) : {};

/** Whether the page is for customers, who want to find a shop. */
export const isShop = mapSettings.shop !== undefined;

/** Whether the page has exports, files, notes, the SQL console and raw data. */
export const hasTools = mapSettings.shop?.console ?? !isShop;

/** The languages of the page; the first is the default if the user knows no other. */
export const offeredLanguages: readonly Language[] = mapSettings.languages ?? LANGUAGES;
