import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "../../data/format/manifest.ts";
import { STAC_CATALOG_PATH } from "../../data/format/paths.ts";
import { pageReader, stacFiles } from "../index/index.ts";
import { type Ledger, messageOf } from "./ledger.ts";

/** That the catalogue, where a dataset has one, is that of its index. Returns its paths. */
export async function verifyStac(dataset: string, manifest: Manifest, ledger: Ledger): Promise<string[]> {
  const isThere = await access(join(dataset, STAC_CATALOG_PATH)).then(
    () => true,
    () => false,
  );
  if (!isThere) return [];
  const readPage = pageReader(dataset);
  const paths: string[] = [];
  try {
    // other checks tell of pages that cannot be read
    const files = stacFiles(manifest, (collection, page) => readPage(collection, page).catch(() => []));
    for await (const { path, text } of files) {
      const found = await readFile(join(dataset, path), "utf8").catch(() => undefined);
      const fault = found === undefined ? "missing" : "not what the index says";
      ledger.expect("dataset", "index", found === text, () => `${path}: ${fault}`);
      paths.push(path);
    }
  } catch (error) {
    ledger.expect("dataset", "index", false, () => `the catalogue cannot be compared: ${messageOf(error)}`);
  }
  return paths;
}
