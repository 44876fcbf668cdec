/**
 * Checks files that are not in a collection: rejects, the STAC catalogue, and kept older releases.
 * @module
 */

import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Manifest } from "../../../data/format/manifest.ts";
import { readManifestFile } from "../../../data/format/manifest-file.ts";
import { firstLineOf } from "../../../data/format/message-of.ts";
import { keptManifestPath, packNameOf, REJECTS_PATH, STAC_CATALOG_PATH } from "../../../data/format/paths.ts";
import { type Database, quotePath } from "../../base/database/index.ts";
import { exists, hashFile } from "../../base/disk/index.ts";
import { packsNamed, pageReader, stacFiles } from "../../builder/index/index.ts";
import { checksOf, type Scope } from "./ledger.ts";
import { readNamed } from "./verified.ts";

/** Checks that the files of kept older releases are complete and have the hash in their name. Returns their paths. */
export async function verifyKept(whole: Scope, { kept = [] }: Manifest): Promise<Set<string>> {
  const scope = { ...whole, name: "kept releases" };
  const named = new Set<string>();
  for (const { release, sha256, bytes } of kept) {
    const path = keptManifestPath({ sha256 });
    named.add(path);
    const content = await readNamed(scope, { path, bytes, sha256 });
    if (!content) continue;
    try {
      const manifest = await readManifestFile(content);
      checksOf(scope, path).same("files", "release", release, manifest.release);
      for (const pack of await packsNamed(scope.dataset, manifest)) {
        if (!named.has(pack)) await checkPack(scope, pack);
        named.add(pack);
      }
    } catch (error) {
      checksOf(scope, path).say("files", false, () => firstLineOf(error));
    }
  }
  return named;
}

async function checkPack(scope: Scope, path: string): Promise<void> {
  const { say, same } = checksOf(scope, path);
  const isThere = await exists(join(scope.dataset, path));
  if (!say("files", isThere, () => "missing")) return;
  const name = basename(path).replace(/\..*$/, "");
  same("files", "head of the SHA-256", name, packNameOf(await hashFile(join(scope.dataset, path))));
}

const COLUMNS = ["collection", "source", "id", "reason", "detail"];

/** Checks the file of rejected rows, and its numbers in the manifest. */
export async function verifyRejects(scope: Scope, database: Database, rejects: Manifest["rejects"]): Promise<void> {
  const { say, same } = checksOf(scope, REJECTS_PATH);
  if (!(await readNamed(scope, { path: REJECTS_PATH, ...rejects }))) return;
  const file = quotePath(join(scope.dataset, REJECTS_PATH));
  try {
    const columns = await database.columns(`SELECT * FROM read_parquet(${file})`);
    const names = columns.map(({ name }) => name);
    if (!same("columns", "columns", COLUMNS, names)) return;
    const reasons = await database.rows<{ reason: string; rows: number }>(
      `SELECT reason, count(*) AS rows FROM read_parquet(${file}) GROUP BY 1 ORDER BY 1`,
    );
    const total = reasons.reduce((sum, { rows }) => sum + rows, 0);
    same("counts", "rows", total, rejects.rows);
    const counted = Object.fromEntries(reasons.map(({ reason, rows }) => [reason, rows]));
    same("counts", "reasons", counted, rejects.reasons);
  } catch (error) {
    say("columns", false, () => `cannot be read: ${firstLineOf(error)}`);
  }
}

/** Checks that the STAC catalogue, if there is one, is what the index says. Returns the paths of its files. */
export async function verifyStac({ dataset, ledger, name }: Scope, manifest: Manifest): Promise<string[]> {
  if (!(await exists(join(dataset, STAC_CATALOG_PATH)))) return [];
  const readPage = pageReader(dataset);
  const paths: string[] = [];
  try {
    // Other checks report unreadable pages.
    const files = stacFiles(manifest, (collection, page) => readPage(collection, page).catch(() => []));
    for await (const { path, text } of files) {
      const found = await readFile(join(dataset, path), "utf8").catch(() => undefined);
      const fault = found === undefined ? "missing" : "differs from the index";
      ledger.expect(name, "index", found === text, () => `${path}: ${fault}`);
      paths.push(path);
    }
  } catch (error) {
    ledger.expect(name, "index", false, () => `the catalogue cannot be compared: ${firstLineOf(error)}`);
  }
  return paths;
}
