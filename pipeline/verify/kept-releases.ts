/** That releases which are kept are whole: their manifests, and every file that these name. @module */
import { basename, join } from "node:path";
import { type Manifest, parseManifest } from "../../data/format/manifest.ts";
import { keptManifestPath, packNameOf } from "../../data/format/paths.ts";
import { exists, hashFile } from "../disk/index.ts";
import { packsNamed } from "../index/index.ts";
import { checksOf, type Ledger, messageOf } from "./ledger.ts";
import { readNamed } from "./named-file.ts";

const SCOPE = "kept releases";

/** Returns the paths of their files. */
export async function verifyKept(dataset: string, { kept = [] }: Manifest, ledger: Ledger): Promise<Set<string>> {
  const named = new Set<string>();
  for (const { release, sha256, bytes } of kept) {
    const path = keptManifestPath({ sha256 });
    named.add(path);
    const content = await readNamed(dataset, { scope: SCOPE, path, bytes, sha256 }, ledger);
    if (!content) continue;
    try {
      const manifest = parseManifest(JSON.parse(content.toString("utf8")));
      checksOf(ledger, SCOPE, path).same("files", "release", release, manifest.release);
      for (const pack of await packsNamed(dataset, manifest)) {
        if (!named.has(pack)) await checkPack(dataset, pack, ledger);
        named.add(pack);
      }
    } catch (error) {
      checksOf(ledger, SCOPE, path).say("files", false, () => messageOf(error));
    }
  }
  return named;
}

async function checkPack(dataset: string, path: string, ledger: Ledger): Promise<void> {
  const { say, same } = checksOf(ledger, SCOPE, path);
  const isThere = await exists(join(dataset, path));
  if (!say("files", isThere, () => "missing")) return;
  const name = basename(path).replace(/\..*$/, "");
  same("files", "head of the SHA-256", name, packNameOf(await hashFile(join(dataset, path))));
}
