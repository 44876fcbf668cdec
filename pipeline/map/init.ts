import { copyFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { exists, makeFolder } from "../disk/index.ts";
import { filesOf, type NewMap } from "./files.ts";
import { type MapArea, parseSettings } from "./settings.ts";

export interface InitOptions extends Pick<NewMap, "program" | "node"> {
  readonly folder: string;
  readonly area: MapArea;
  readonly types?: readonly string[] | undefined;
  readonly title?: string | undefined;
  /** Address or folder of a mirror. */
  readonly from?: string | undefined;
  readonly force?: boolean | undefined;
}

/** File name of the area in the map project. */
const AREA_FILE = "area.geojson";

/** Writes a new map project and returns the paths. Throws before it writes if a file exists, unless forced. */
export async function initMap(options: InitOptions): Promise<string[]> {
  const { folder, area, types, title, from, force, program, node } = options;
  const name = basename(resolve(folder));
  const isFile = "file" in area;
  const settings = parseSettings({
    title: title ?? titleOf(area, name),
    area: isFile ? { file: AREA_FILE } : area,
    types,
    from: from === undefined || /^[a-z0-9]+:/i.test(from) ? from : resolve(from),
  });
  const files = filesOf({ name, settings, program, node });
  const paths = [...files.keys(), ...(isFile ? [AREA_FILE] : [])];
  if (!force) for (const path of paths) await refuseThere(join(folder, path));
  for (const [path, text] of files) {
    await makeFolder(dirname(join(folder, path)));
    await writeFile(join(folder, path), text);
  }
  if (isFile && resolve(area.file) !== resolve(folder, AREA_FILE)) await copyFile(area.file, join(folder, AREA_FILE));
  return paths.map((path) => join(folder, path));
}

async function refuseThere(path: string): Promise<void> {
  if (await exists(path)) throw new Error(`${path} is there already: choose another folder, or --force to replace it`);
}

function titleOf(area: MapArea, name: string): string {
  return "place" in area ? (area.place.split(",")[0] ?? name) : name;
}
