/** Settings from the file `map.json` of a site. `cairn site` writes them into the head of the page. @module */
import type { BBox } from "../../../data/format/bbox.ts";
import type { View } from "../address/index.ts";
import type { Language } from "../text/index.ts";

interface MapSettings {
  readonly title?: string;
  /** A sentence that the page shows before the first search. */
  readonly description?: string;
  readonly view?: View;
  /** Box of the records that the site is about, for the first view if `view` is missing. */
  readonly box?: BBox;
  /** Accent colour of the light and the dark theme, `#rrggbb`. */
  readonly colors?: { readonly light: string; readonly dark: string };
  readonly languages?: readonly Language[];
  /** Makes the page a map of shops: a page for customers, only with collections that have their own schema. */
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

/** Whether the page is a map of shops, for customers who want to find one. */
export const isShop = mapSettings.shop !== undefined;

/** Whether the page has exports, files, notes, the SQL console and raw data. */
export const hasTools = mapSettings.shop?.console ?? !isShop;
