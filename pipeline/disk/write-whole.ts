import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { DISK } from "./disk.ts";

/** Writes the file beside its place and puts it there when it is on the disk: what stands there is whole at any time. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.tmp`, text);
  await DISK.syncFile(`${path}.tmp`);
  await rename(`${path}.tmp`, path);
}
