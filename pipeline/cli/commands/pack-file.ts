/**
 * Writes an area file: one tar file with the part of a dataset in a country or box, which pages load.
 * @module
 */
import { createHash } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionName } from "../../../data/format/collections.ts";
import { type AreaPack, PACKS_LIST_PATH, parsePacksList, writePacksList } from "../../../data/format/packs-list.ts";
import type { AreaShape } from "../../../web/engine/index.ts";
import { packArea } from "../../../web/hosts/browser/saved-areas/index.ts";
import { openNodeDataset, openSource } from "../../../web/hosts/node/open.ts";
import { exists, makeFolder, writeWhole } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { requireRowsIn } from "./rows-in-box.ts";

interface PackFileOptions {
  /** Folder or URL of the dataset. */
  readonly dataset: string;
  /** Folder for the area file, and for the list of all area files in the folder. */
  readonly out: string;
  readonly shape: Exclude<AreaShape, { kind: "circle" }>;
  readonly name?: string | undefined;
  readonly hasNames: boolean;
}

/**
 * Writes an area file, then adds it to the list of the folder. Without a name, the file is named by the country or box.
 * Throws if the dataset has no row in the country or box.
 */
export async function packFile({ dataset, out, shape, name: given, hasNames }: PackFileOptions): Promise<AreaPack> {
  const name = given ?? (shape.kind === "bbox" ? shape.bbox.join(",") : shape.country);
  const file = `${name.replaceAll(/[^\p{L}\p{N}.,-]+/gu, "-").replaceAll(/^[-.,]+|-+$/g, "") || "area"}.cairn.tar`;
  const listPath = join(out, PACKS_LIST_PATH);
  const others = (await exists(listPath)) ? parsePacksList(await readFile(listPath, "utf8")) : [];
  const source = openSource(dataset);
  const opened = openNodeDataset(dataset);
  const { collections } = await opened.manifest();
  const countries = new Set(Object.values(collections).flatMap((collection) => Object.keys(collection.countries)));
  if (shape.kind === "country" && !countries.has(shape.country))
    throw new CodedError(
      "CAIRN_E_EMPTY",
      `${dataset} has no row in ${shape.country}, it has ${[...countries].sort().join(", ")}`,
    );
  const names = Object.keys(collections) as CollectionName[];
  if (shape.kind === "bbox") await requireRowsIn(opened, { location: dataset, collections: names, bbox: shape.bbox });
  await makeFolder(out);
  const temporary = join(out, `${file}.tmp`);
  const handle = await open(temporary, "w");
  const hash = createHash("sha256");
  let bytes = 0;
  const sink = {
    write: async (part: Uint8Array) => {
      await handle.writeFile(part);
      hash.update(part);
      bytes += part.byteLength;
    },
    close: async () => {
      await handle.sync();
      await handle.close();
      return undefined;
    },
    abort: async () => {
      await handle.close();
      await rm(temporary, { force: true });
    },
  };
  const choice = { shape, collections: names, hasNames, hasBaseMap: shape.kind === "bbox" };
  const { release } = await packArea({ name, choice, source, sink, onProgress: () => undefined });
  await rename(temporary, join(out, file));
  const pack = { name, file, bytes, sha256: hash.digest("hex"), release };
  await writeWhole(listPath, writePacksList([...others, pack]));
  return pack;
}
