/** The options that say which rows of a release, or of files, are wanted. @module */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { BBox } from "../../data/format/bbox.ts";
import type { OvertureType } from "../../data/format/collections.ts";
import { type AskedArea, parseBox, parseCountry, parsePlaceName, parseTypes, readAreaFile } from "../area/index.ts";

export interface AreaArguments {
  readonly bbox?: BBox;
  readonly country?: string;
  readonly division?: string;
  readonly place?: string;
  readonly area?: string;
  readonly types?: OvertureType[];
}

const AREA_OPTIONS = ["bbox", "place", "country", "division", "area"] as const;

/** As commander wants it: what a value is wrong for is wrong usage. */
export function parsed<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
    }
  };
}

export function addAreaOptions(command: Command): Command {
  const one = (option: Option): Option =>
    option.conflicts(AREA_OPTIONS.filter((name) => name !== option.attributeName()));
  return command
    .addOption(one(new Option("--bbox <west,south,east,north>", "a box, in degrees").argParser(parsed(parseBox))))
    .addOption(
      one(
        new Option(
          "--place <name>",
          "a town or another division by its name, such as 'Monaco' or 'Springfield, US-IL'",
        ).argParser(parsed(parsePlaceName)),
      ),
    )
    .addOption(one(new Option("--country <code>", "a country, such as MC").argParser(parsed(parseCountry))))
    .addOption(one(new Option("--division <id>", "the area of a division of Overture's")))
    .addOption(one(new Option("--area <file>", "polygons in a GeoJSON file; what meets them is wanted")))
    .option("--types <list>", "types of rows, such as place,building; all when left out", parsed(parseTypes));
}

/** Undefined when no area is asked for. */
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

export const AREA_WANTED = "say which area: --place, --bbox, --country, --division or --area";
