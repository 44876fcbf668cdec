import { copyFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { TABLE_FILE } from "../../../data/tables/index.ts";
import { exists, makeFolder } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { filesOf, type NewMap } from "./files.ts";
import { type MapArea, parseSettings } from "./settings.ts";

export interface InitOptions extends Pick<NewMap, "program" | "node"> {
  readonly folder: string;
  /** Area of Overture. A project without a table needs one. */
  readonly area?: MapArea | undefined;
  /** The table whose rows the map shows. `initMap` copies a file into the project; each build fetches an address. */
  readonly table?:
    | {
        readonly source: { readonly file: string } | { readonly address: string };
        /** Name of the collection with the table's rows. */
        readonly name: string;
        readonly filters: readonly string[];
      }
    | undefined;
  readonly types?: readonly string[] | undefined;
  readonly title?: string | undefined;
  /** Address or folder of a mirror of Overture's releases. */
  readonly from?: string | undefined;
  readonly force?: boolean | undefined;
}

/** File name of the area in the map project. */
const AREA_FILE = "area.geojson";

/**
 * Writes a new map project and returns the paths of its files. Throws before it writes if the settings are invalid, or,
 * unless `force`, if one of the files exists.
 */
export async function initMap(options: InitOptions): Promise<string[]> {
  const { folder, area, table, types, title, from, force, program, node } = options;
  const name = basename(resolve(folder));
  const isFile = area !== undefined && "file" in area;
  const settings = parseSettings({
    title: title ?? titleOf(table ? undefined : area, name),
    ...(table ? { table: writtenSource(table.source), filters: table.filters } : {}),
    area: isFile ? { file: AREA_FILE } : area,
    types,
    from: from === undefined || /^[a-z0-9]+:/i.test(from) ? from : resolve(from),
  });
  const files = filesOf({ name, settings, program, node, collection: table?.name });
  const copies = new Map([
    ...(isFile ? [[AREA_FILE, area.file] as const] : []),
    ...(table && "file" in table.source ? await tableFiles(table.source.file) : []),
  ]);
  for (const path of copies.keys())
    if (files.has(path))
      throw new CodedError("CAIRN_E_OUTPUT", `${path}: a map project has a file of this name, rename yours`);
  const paths = [...files.keys(), ...copies.keys()];
  if (!force) for (const path of paths) await refuseThere(join(folder, path));
  for (const [path, text] of files) {
    await makeFolder(dirname(join(folder, path)));
    await writeFile(join(folder, path), text);
  }
  for (const [path, source] of copies)
    if (resolve(source) !== resolve(folder, path)) await copyFile(source, join(folder, path));
  return paths.map((path) => join(folder, path));
}

function writtenSource(source: NonNullable<InitOptions["table"]>["source"]): string {
  return "file" in source ? basename(source.file) : source.address;
}

/** Returns names in the project and paths of the files to copy: the table, and the `cairn.json` next to it. */
async function tableFiles(file: string): Promise<[string, string][]> {
  const stated = join(dirname(file), TABLE_FILE);
  return [[basename(file), file], ...((await exists(stated)) ? [[TABLE_FILE, stated] as [string, string]] : [])];
}

/**
 * Copies `cairn.json` (what the columns mean) from the current folder to the folder of the downloaded table. Without
 * this file, removes an older copy.
 */
export async function copyTableOptions(table: string): Promise<void> {
  const copy = join(dirname(table), TABLE_FILE);
  if (await exists(TABLE_FILE)) await copyFile(TABLE_FILE, copy);
  else await rm(copy, { force: true });
}

async function refuseThere(path: string): Promise<void> {
  if (await exists(path))
    throw new CodedError("CAIRN_E_OUTPUT", `${path} is there already: choose another folder, or --force to replace it`);
}

function titleOf(area: MapArea | undefined, name: string): string {
  return area && "place" in area ? (area.place.split(",")[0] ?? name) : name;
}
