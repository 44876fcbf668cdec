import { type FormatName, formatNamed } from "../../search/index.ts";
import { coordinate, type Search } from "../address/index.ts";

/** Returns a name such as `places-40.0165_-105.271-1000m-page-2.csv`. */
export function exportFileName(search: Search, extent: "page" | "all", format: FormatName): string {
  const { path, centre, radiusMeters, country, page } = search;
  const parts = [
    path,
    ...(country === undefined ? [] : [country]),
    ...(centre ? [`${coordinate(centre.lat)}_${coordinate(centre.lon)}`, `${Math.round(radiusMeters)}m`] : []),
    ...(extent === "page" ? [`page-${page + 1}`] : []),
  ];
  return `${parts.join("-")}.${formatNamed(format).extension}`;
}

/** Returns the name of the file with sources and licences. */
export function attributionFileName(fileName: string): string {
  return `${fileName.replace(/\.[^.]*$/, "")}-sources.txt`;
}
