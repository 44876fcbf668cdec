import { dirname, join, relative } from "node:path";
import { z } from "zod";
import type { Attribution } from "../../../data/format/manifest.ts";
import { CodedError } from "../../base/errors/index.ts";
import { ATTRIBUTION_FILE } from "../../overture/extract/index.ts";
import { isAddress } from "./remote-sources.ts";
import { readNextToSources, type SourceFile } from "./sources.ts";

const attributions = z.array(
  z.object({
    dataset: z.string(),
    license: z.string(),
    text: z.string(),
    url: z.url({ protocol: /^https?$/ }).optional(),
  }),
);

/**
 * Returns the content of each `attribution.json` in the folders of the files, up to the folder that was given as a
 * source, the nearest first. Leaves out files at addresses. Throws if one is not valid.
 */
export async function readAttributions(files: readonly SourceFile[]): Promise<Attribution[]> {
  const onDisk = files.filter(({ path }) => !isAddress(path));
  const folders = new Set(onDisk.flatMap(({ path, root }) => foldersUpTo(dirname(path), root)));
  const found: Attribution[] = [];
  for (const folder of folders) found.push(...(await readAttribution(join(folder, ATTRIBUTION_FILE))));
  return found;
}

function foldersUpTo(folder: string, root: string): string[] {
  return relative(root, folder) === "" ? [folder] : [folder, ...foldersUpTo(dirname(folder), root)];
}

async function readAttribution(path: string): Promise<Attribution[]> {
  const text = await readNextToSources(path);
  if (text === undefined) return [];
  try {
    return attributions.parse(JSON.parse(text)) as Attribution[];
  } catch (cause) {
    throw new CodedError("CAIRN_E_SOURCE", `${path}: not a list of {dataset, license, text, url?}, url http or https`, {
      cause,
    });
  }
}
