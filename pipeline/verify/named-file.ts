import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expectedGot, type Ledger } from "./ledger.ts";

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
  const content = await readFile(join(dataset, path)).catch((error: NodeJS.ErrnoException) => error);
  const isThere = Buffer.isBuffer(content);
  ledger.expect(
    scope,
    "files",
    isThere,
    () => `${path}: ${isThere ? "" : (content.code ?? content.message)}, expected a file`,
  );
  if (!isThere) return undefined;
  const isLong = ledger.expect(
    scope,
    "bytes",
    content.length === bytes,
    () => `${path}: length ${expectedGot(bytes, content.length)}`,
  );
  const hash = createHash("sha256").update(content).digest("hex");
  const isSame = ledger.expect(scope, "bytes", hash === sha256, () => `${path}: SHA-256 ${expectedGot(sha256, hash)}`);
  return isLong && isSame ? content : undefined;
}
