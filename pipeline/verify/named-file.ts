import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checksOf, type Ledger } from "./ledger.ts";

export interface NamedFile {
  readonly scope: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads a file as readers do, checking length and SHA-256; undefined, with the fault noted, when it is not sound. */
export async function readNamed(
  dataset: string,
  { scope, path, bytes, sha256 }: NamedFile,
  ledger: Ledger,
): Promise<Buffer | undefined> {
  const { say, same } = checksOf(ledger, scope, path);
  const content = await readFile(join(dataset, path)).catch((error: NodeJS.ErrnoException) => error);
  const isThere = Buffer.isBuffer(content);
  say("files", isThere, () => `${isThere ? "" : (content.code ?? content.message)}, expected a file`);
  if (!isThere) return undefined;
  const isLong = same("files", "length", bytes, content.length);
  const isSame = same("files", "SHA-256", sha256, createHash("sha256").update(content).digest("hex"));
  return isLong && isSame ? content : undefined;
}
