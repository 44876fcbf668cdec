/** Reads `map.json`, the settings of a map project. @module */

import { z } from "zod";
import type { OvertureType } from "../../../data/format/collections.ts";
import { LANGUAGES } from "../../../data/format/languages.ts";
import { messageOf } from "../../../data/format/message-of.ts";
import { keyText, type PublicKey, parseKeys } from "../../../data/format/signature.ts";
import { parseJson, readOptional } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import {
  type AskedArea,
  parseBox,
  parseCountry,
  parsePlaceName,
  parseTypes,
  readAreaFile,
} from "../../overture/area/index.ts";

export const SETTINGS_FILE = "map.json";

/** Folders of a map project, relative to the project. `previous` has the dataset of the last published release. */
export const FOLDERS = { extract: "extract", dataset: "dataset", previous: "previous", site: "site" } as const;

const parsed = <T>(parse: (text: string) => T) =>
  z.string().superRefine((text, context) => {
    try {
      parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: messageOf(error) });
    }
  });

const LOGO = /\.(svg|png|webp|jpe?g)$/i;

const color = z.string().regex(/^#[0-9a-f]{6}$/i, "a colour is #rrggbb");

const one = <Key extends string, Value extends z.ZodType>(key: Key, value: Value) =>
  z.strictObject({ [key]: value } as Record<Key, Value>);

const AREA_MESSAGE = `an area is one of {"place": name}, {"bbox": "west,south,east,north"}, {"country": code}, {"division": id}, {"file": path}`;

const area = z.union(
  [
    one("place", parsed(parsePlaceName)),
    one("bbox", parsed(parseBox)),
    one("country", parsed(parseCountry)),
    one("division", z.string().min(1)),
    one("file", z.string().min(1)),
  ],
  AREA_MESSAGE,
);

/** A path of a file inside the project's folder. */
const ownFile = z
  .string()
  .min(1)
  .refine(
    (path) => !/^([/\\]|[a-z][a-z0-9+.-]*:)|(^|[/\\])\.\.([/\\]|$)/i.test(path),
    "expected a file in the folder of map.json",
  );

const common = {
  title: z.string().trim().min(1).max(80),
  /** A sentence about the map for the first visit and for search engines. */
  description: z.string().trim().min(1).max(300).optional(),
  types: z.array(parsed(parseTypes)).min(1).optional(),
  release: z.string().min(1).optional(),
  from: z.string().min(1).optional(),
  view: z
    .strictObject({
      lon: z.number().min(-180).max(180),
      lat: z.number().min(-90).max(90),
      zoom: z.number().min(0).max(22),
    })
    .optional(),
  colors: z.strictObject({ light: color, dark: color }).optional(),
  languages: z.array(z.enum(LANGUAGES)).min(1).optional(),
  /** Public keys, with commas between them. The page refuses a dataset that none of them signed. */
  key: parsed(parseKeys).optional(),
  attribution: z
    .array(
      z.strictObject({
        dataset: z.string().min(1),
        license: z.string().min(1),
        text: z.string().min(1),
        url: z.url({ protocol: /^https?$/ }).optional(),
      }),
    )
    .default([]),
};

const areaMap = z.strictObject({ ...common, area });

const shopMap = z.strictObject({
  ...common,
  /** The table with the shops: a file of the project, or a web address. */
  table: z.union(
    [z.url({ protocol: /^https?$/ }), ownFile],
    "expected a file in the folder of map.json, or a web address",
  ),
  /** Area of Overture whose streets and buildings the map shows below the rows. */
  area: area.optional(),
  logo: ownFile.refine((path) => LOGO.test(path), "a logo is an .svg, .png, .webp or .jpg").optional(),
  /** Columns with a filter, in this order. Default: all columns that can have one. */
  filters: z.array(z.string().min(1)).max(50).optional(),
  /** True if the page also has exports, files and the SQL console. */
  console: z.boolean().optional(),
});

type AreaMap = z.infer<typeof areaMap>;
export type ShopMap = z.infer<typeof shopMap>;
/** A map of an area of Overture, or of the rows of a table. */
export type MapSettings = AreaMap | ShopMap;
export type MapArea = AreaMap["area"];

/** Returns true if the map shows the rows of a table, such as shops. */
export function isShopMap(settings: MapSettings): settings is ShopMap {
  return "table" in settings;
}

/** Reads `map.json`. Undefined if the file does not exist. Throws one error with all faults if it is invalid. */
export async function readSettings(path: string = SETTINGS_FILE): Promise<MapSettings | undefined> {
  const text = await readOptional(path);
  return text === undefined ? undefined : parseSettings(parseJson(path, text), path);
}

/**
 * Checks the JSON value of a settings file and returns it as settings. `path` is for messages. Throws one error with
 * all faults if it is invalid.
 */
export function parseSettings(value: unknown, path: string = SETTINGS_FILE): MapSettings {
  const isShop = typeof value === "object" && value !== null && "table" in value;
  const result = (isShop ? shopMap : areaMap).safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join(".") || "the whole"}: ${issue.message}`);
  throw new CodedError("CAIRN_E_VALUE", `${path}: ${faults.join("; ")}`);
}

/** Returns the public keys of the settings; undefined if the settings have none. */
export function pinnedKeys({ key }: Pick<MapSettings, "key">): readonly PublicKey[] | undefined {
  return key === undefined ? undefined : parseKeys(key);
}

/** Throws if the settings have public keys, but not this one: the page would refuse a dataset that this key signed. */
export function refuseOtherKey(settings: MapSettings, key: PublicKey): void {
  const pinned = pinnedKeys(settings)?.map(keyText);
  if (pinned && !pinned.includes(keyText(key)))
    throw new CodedError(
      "CAIRN_E_SIGNATURE",
      `${SETTINGS_FILE} pins ${pinned.join(", ")}, the private key belongs to ${keyText(key)}`,
    );
}

/** Returns the types of Overture in the settings; undefined means all types. */
export function typesOf({ types }: MapSettings): OvertureType[] | undefined {
  return types && parseTypes(types.join(","));
}

/**
 * Returns the area of the settings; undefined for a table without an area. Reads the GeoJSON file of an area, and
 * throws if it is invalid.
 */
export async function areaOf({ area }: MapSettings): Promise<AskedArea | undefined> {
  if (!area) return undefined;
  if ("place" in area) return { kind: "place", name: parsePlaceName(area.place) };
  if ("bbox" in area) return { kind: "box", bbox: parseBox(area.bbox) };
  if ("country" in area) return { kind: "country", code: parseCountry(area.country) };
  if ("division" in area) return { kind: "division", id: area.division };
  return { kind: "polygon", label: `area ${area.file}`, polygon: await readAreaFile(area.file) };
}
