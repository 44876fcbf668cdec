/** The icons of Maki as one file: SVG paths by name. @module */
import { ICON_NAMES } from "../hosts/browser/basemap/index.ts";
import type { Recipe } from "./shipped-files.ts";

export const MAKI_FILE: Recipe = {
  key: "maki",
  name: "assets/maki-[hash].json",
  inputs: ICON_NAMES.map((name) => `node_modules/@mapbox/maki/icons/${name}.svg`),
  version: 1,
  async make(inputs) {
    const paths = inputs.map((svg, index) => [ICON_NAMES[index], pathOf(new TextDecoder().decode(svg))]);
    return new TextEncoder().encode(JSON.stringify(Object.fromEntries(paths)));
  },
};

/** Returns the path of an icon, which has only one. Throws without a path. */
function pathOf(svg: string): string {
  const [, path] = /\sd="([^"]+)"/.exec(svg) ?? [];
  if (path === undefined) throw new Error(`an icon of Maki has no path: ${svg.slice(0, 200)}`);
  return path.replace(/(&#x[0-9A-F]+;)+/g, " ");
}
