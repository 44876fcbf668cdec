/** Files of hosts that answer no Range: fetched whole, once, and read from the disk. @module */

import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Ask,
  chunksOf,
  type Identity,
  identityOf,
  PassingFault,
  type RemoteFile,
  refuseChanged,
} from "../../data/release/index.ts";
import { exists } from "../disk/index.ts";
import { diskRemote } from "./disk-remote.ts";

export interface WholeOptions {
  readonly folder: string;
  readonly onNotice: (message: string) => void;
  readonly ask: Ask;
}

export async function fetchWhole(found: Identity, { folder, onNotice, ask }: WholeOptions): Promise<RemoteFile> {
  const { address, byteLength, version } = found;
  const name = createHash("sha256").update(`${address}\n${version}\n${byteLength}`).digest("hex").slice(0, 32);
  const path = join(folder, `${name}.parquet`);
  if (!(await exists(path))) {
    onNotice(`${address}: the host answers no Range, so all ${byteLength} bytes are fetched`);
    await mkdir(folder, { recursive: true });
    await ask({ address }, async (response, alive) => {
      refuseChanged(found, identityOf(address, response));
      await writeBody(response, { path: `${path}.tmp`, byteLength, address, alive });
    });
    await rename(`${path}.tmp`, path);
  }
  const file = await diskRemote().open(pathToFileURL(path).href);
  return { address, byteLength, version, read: file.read };
}

interface WriteOptions {
  readonly path: string;
  readonly byteLength: number;
  readonly address: string;
  readonly alive: () => void;
}

async function writeBody(response: Response, { path, byteLength, address, alive }: WriteOptions): Promise<void> {
  const handle = await open(path, "w");
  let length = 0;
  try {
    for await (const chunk of chunksOf(response)) {
      alive();
      await handle.write(chunk);
      length += chunk.length;
    }
    if (length < byteLength) throw new PassingFault(`${address}: cut short, ${length} of ${byteLength} bytes`);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
