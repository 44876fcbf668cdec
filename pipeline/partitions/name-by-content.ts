import { createHash } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { MAX_PARTITION_BYTES } from "../../data/format/manifest.ts";

export interface FileContent {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Syncs the file and moves it to the path for its SHA-256: whoever commits the folder later need not wait for it.
 * Throws when readers would refuse its size.
 */
export async function nameByContent(file: string, pathOf: (sha256: string) => string): Promise<FileContent> {
  const handle = await open(file, "r");
  const content = await handle
    .readFile()
    .then(async (data): Promise<FileContent> => {
      await handle.sync();
      return { sha256: createHash("sha256").update(data).digest("hex"), bytes: data.length };
    })
    .finally(() => handle.close());
  if (content.bytes > MAX_PARTITION_BYTES) {
    throw new Error(
      `${file} has ${content.bytes} bytes, expected at most ${MAX_PARTITION_BYTES}: a geometry is too large to publish`,
    );
  }
  const path = pathOf(content.sha256);
  await mkdir(dirname(path), { recursive: true });
  await rename(file, path);
  return content;
}
