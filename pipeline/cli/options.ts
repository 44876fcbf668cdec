/** Options and arguments that several commands share. @module */

import { type Command, InvalidArgumentError, Option } from "commander";
import type { BBox } from "../../data/format/bbox.ts";
import type { OvertureType } from "../../data/format/collections.ts";
import { messageOf } from "../../data/format/message-of.ts";
import { CodedError } from "../base/errors/index.ts";
import {
  type AskedArea,
  parseBox,
  parseCountry,
  parsePlaceName,
  parseTypes,
  readAreaFile,
} from "../overture/area/index.ts";
import { type MapSettings, readSettings, SETTINGS_FILE } from "./map/index.ts";

export interface AreaArguments {
  readonly bbox?: BBox;
  readonly country?: string;
  readonly division?: string;
  readonly place?: string;
  readonly area?: string;
  readonly types?: OvertureType[];
}

const AREA_OPTIONS = ["bbox", "place", "country", "division", "area"] as const;

/** Returns the parser for an option of commander: its errors become commander's errors for wrong usage. */
export function parsed<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(messageOf(error));
    }
  };
}

/** Adds the options that select an area and types, and returns the command. Options for areas exclude each other. */
export function addAreaOptions(command: Command): Command {
  const one = (option: Option): Option =>
    option.conflicts(AREA_OPTIONS.filter((name) => name !== option.attributeName()));
  return command
    .addOption(
      one(new Option("--bbox <w,s,e,n>", "box: west, south, east and north in degrees").argParser(parsed(parseBox))),
    )
    .addOption(
      one(
        new Option("--place <name>", "town or division, such as 'Springfield, US-IL'").argParser(
          parsed(parsePlaceName),
        ),
      ),
    )
    .addOption(one(new Option("--country <code>", "country, such as MC").argParser(parsed(parseCountry))))
    .addOption(one(new Option("--division <id>", "id of an Overture division")))
    .addOption(one(new Option("--area <file>", "GeoJSON file with polygons")))
    .option("--types <list>", "types, such as place,building (default: all)", parsed(parseTypes));
}

/**
 * Returns the area that the options select, or undefined if none does. Reads the GeoJSON file of `--area`, and throws
 * if it is invalid.
 */
export async function askedArea({
  bbox,
  place,
  country,
  division,
  area,
}: AreaArguments): Promise<AskedArea | undefined> {
  if (bbox) return { kind: "box", bbox };
  if (place !== undefined) return { kind: "place", name: place };
  if (country !== undefined) return { kind: "country", code: country };
  if (division !== undefined) return { kind: "division", id: division };
  if (area !== undefined) return { kind: "polygon", label: `area ${area}`, polygon: await readAreaFile(area) };
  return undefined;
}

/** Returns true if an option selects an area. */
export function hasArea(options: AreaArguments): boolean {
  return AREA_OPTIONS.some((name) => options[name] !== undefined);
}

export const AREA_WANTED = "no area given: use --place, --bbox, --country, --division or --area";

/** Endings of map files. A folder with such a name is probably a mistake. */
const FILE_ENDINGS =
  /\.(parquet|geoparquet|gpq|geojson|geojsonl|geojsons|geojsonseq|ndjson|jsonl|json|csv|gpx|kml|kmz|fgb|gpkg|shp|pmtiles|mbtiles|tar|tgz|gz|zip)$/i;

/**
 * Returns the name of an output folder unchanged. Throws for an empty name, and for a name with the ending of a file.
 */
export function parseFolder(text: string): string {
  if (text.trim() === "") throw new CodedError("CAIRN_E_VALUE", "expected a folder, got an empty name");
  const [ending] = FILE_ENDINGS.exec(text.replace(/[\\/]+$/, "")) ?? [];
  if (ending === undefined) return text;
  throw new CodedError("CAIRN_E_VALUE", `expected a folder, got ${text}, which has the ending of a file (${ending})`);
}

/** Returns an http or https address unchanged. Throws for another text. */
export function parseAddress(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError(`an address starts with http:// or https://, got ${text}`);
}

/** Returns the whole number of a text, at least 1. Throws for another text. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 1.");
  return Number(text);
}

/** Returns the share of a text with a percent sign: 0.05 for `5%`. Throws for another text, or above 100 %. */
export function parseShare(text: string): number {
  const [, number] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim()) ?? [];
  const share = Number(number) / 100;
  if (!(share <= 1)) throw new InvalidArgumentError("Expected a share such as 5%, from 0% to 100%.");
  return share;
}

export interface ReleaseArguments {
  readonly from?: string | undefined;
  readonly connections?: number | undefined;
  readonly force?: boolean | undefined;
}

/** Adds the options of downloads from a release, `--from` and `--connections`, and returns the command. */
export function addReleaseOptions(command: Command): Command {
  return command
    .option("--from <mirror>", "folder or URL of releases (default: Overture's)")
    .option("--connections <n>", "parallel requests", parseCount);
}

/** Returns the settings of the map project in the current folder. Without `map.json`, ends as `lacking` does. */
export async function mapHere(command: Command, needed: string): Promise<MapSettings> {
  const settings = await readSettings();
  if (settings) return settings;
  return lacking(command, needed);
}

/** Throws commander's error (exit code 2): the option or argument `needed` is missing, and there is no map project. */
export function lacking(command: Command, needed: string): never {
  const what = needed.startsWith("-") ? "required option" : "required argument";
  return command.error(
    `error: ${what} '${needed}' not specified, and this folder has no ${SETTINGS_FILE} (create one with cairn init)`,
    {
      code: "cairn.lacking",
    },
  );
}
