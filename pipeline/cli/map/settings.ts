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

/** Folders of a map project. */
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

/** Files of a map project are in its folder. */
const ownFile = z
  .string()
  .min(1)
  .refine(
    (path) => !/^([/\\]|[a-z][a-z0-9+.-]*:)|(^|[/\\])\.\.([/\\]|$)/i.test(path),
    "expected a file in the folder of map.json",
  );

const common = {
  title: z.string().trim().min(1).max(80),
  /** One sentence for the first visit. */
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
  /** Public keys. The page refuses a dataset that none of them signed. */
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
  /** An area of Overture for the map below the shops. */
  area: area.optional(),
  logo: ownFile.refine((path) => LOGO.test(path), "a logo is an .svg, .png, .webp or .jpg").optional(),
  /** Columns with a filter, in this order; all that can be filtered when left out. */
  filters: z.array(z.string().min(1)).max(50).optional(),
  /** Whether the page has its tools too: exports, files, the SQL console. */
  console: z.boolean().optional(),
});

type AreaMap = z.infer<typeof areaMap>;
export type ShopMap = z.infer<typeof shopMap>;
/** A map of an area of Overture, or of the rows of a table. */
export type MapSettings = AreaMap | ShopMap;
export type MapArea = AreaMap["area"];

/** Returns whether the map shows the rows of a table, such as shops. */
export function isShopMap(settings: MapSettings): settings is ShopMap {
  return "table" in settings;
}

/** Reads `map.json`. Undefined if the folder has none. Throws with all faults if it is invalid. */
export async function readSettings(path: string = SETTINGS_FILE): Promise<MapSettings | undefined> {
  const text = await readOptional(path);
  return text === undefined ? undefined : parseSettings(parseJson(path, text), path);
}

/** Checks the JSON value of the settings, and returns it. Throws with all faults if they are invalid. */
export function parseSettings(value: unknown, path: string = SETTINGS_FILE): MapSettings {
  const isShop = typeof value === "object" && value !== null && "table" in value;
  const result = (isShop ? shopMap : areaMap).safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join(".") || "the whole"}: ${issue.message}`);
  throw new CodedError("CAIRN_E_VALUE", `${path}: ${faults.join("; ")}`);
}

/** Returns the pinned keys; undefined without one. */
export function pinnedKeys({ key }: Pick<MapSettings, "key">): readonly PublicKey[] | undefined {
  return key === undefined ? undefined : parseKeys(key);
}

/** Throws if the map pins other keys: its page would refuse the dataset. */
export function refuseOtherKey(settings: MapSettings, key: PublicKey): void {
  const pinned = pinnedKeys(settings)?.map(keyText);
  if (pinned && !pinned.includes(keyText(key)))
    throw new CodedError(
      "CAIRN_E_SIGNATURE",
      `${SETTINGS_FILE} pins ${pinned.join(", ")}, the private key belongs to ${keyText(key)}`,
    );
}

/** Returns the types of the settings; undefined for all. */
export function typesOf({ types }: MapSettings): OvertureType[] | undefined {
  return types && parseTypes(types.join(","));
}

/** Returns the area of the settings, and reads its file; undefined for a table without one. */
export async function areaOf({ area }: MapSettings): Promise<AskedArea | undefined> {
  if (!area) return undefined;
  if ("place" in area) return { kind: "place", name: parsePlaceName(area.place) };
  if ("bbox" in area) return { kind: "box", bbox: parseBox(area.bbox) };
  if ("country" in area) return { kind: "country", code: parseCountry(area.country) };
  if ("division" in area) return { kind: "division", id: area.division };
  return { kind: "polygon", label: `area ${area.file}`, polygon: await readAreaFile(area.file) };
}
