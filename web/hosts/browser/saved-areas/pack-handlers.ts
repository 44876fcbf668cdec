import { type AreaPack, PACKS_LIST_PATH, parsePacksList } from "../../../../data/format/packs-list.ts";
import { sha256Of } from "../../../../data/format/sha256.ts";
import { fetchWithin } from "../../http/index.ts";
import type { PackCalls, RemoteHandlers, SaveProgress } from "../protocol/index.ts";

/** Next to the folder of the dataset. */
const FOLDER = "../packs/";

/** Handlers for area files that the site offers: lists them, and imports one like a file from another device. */
export function packHandlers(
  dataset: () => URL,
  importArea: RemoteHandlers["importArea"],
): Pick<RemoteHandlers, keyof PackCalls> {
  const addressOf = (file: string): URL => new URL(FOLDER + file, dataset());
  return {
    async packs(_, signal) {
      const address = addressOf(PACKS_LIST_PATH);
      const response = await fetchWithin(address, { signal, cache: "no-cache" });
      // the list is optional, and some hosts answer with a page for missing files
      const isPage = /^text\/html\b/.test(response.headers.get("content-type") ?? "");
      if (response.status === 404 || response.status === 403 || isPage) return [];
      if (!response.ok) throw new Error(`${PACKS_LIST_PATH}: status ${response.status}, expected 200`);
      return parsePacksList(await response.text());
    },
    async takePack(pack, signal, report) {
      try {
        const file = await fetchPack(pack, addressOf(encodeURIComponent(pack.file)), { signal, report });
        return await importArea(file, signal, report);
      } catch (error) {
        if (error instanceof PackError) return { kind: "damaged", reason: error.message };
        throw error;
      }
    },
  };
}

class PackError extends Error {}

interface FetchOptions {
  readonly signal: AbortSignal;
  readonly report: (progress: SaveProgress) => void;
}

/** Throws `PackError` when the file differs from the list. */
async function fetchPack(pack: AreaPack, address: URL, { signal, report }: FetchOptions): Promise<Blob> {
  const response = await fetchWithin(address, { signal });
  if (!response.ok) throw new PackError(`${pack.file}: status ${response.status}, expected 200`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) break;
    bytes += next.value.byteLength;
    if (bytes > pack.bytes) {
      await reader?.cancel();
      throw new PackError(`${pack.file} has more than the ${pack.bytes} bytes in the list`);
    }
    parts.push(next.value);
    report({ files: 0, totalFiles: 1, bytes, totalBytes: pack.bytes });
  }
  if (bytes < pack.bytes) throw new PackError(`${pack.file} has ${bytes} bytes, expected ${pack.bytes}`);
  const file = new Blob(parts, { type: "application/x-tar" });
  const sha256 = await sha256Of(new Uint8Array(await file.arrayBuffer()));
  if (sha256 !== pack.sha256) throw new PackError(`${pack.file} has SHA-256 ${sha256}, expected ${pack.sha256}`);
  return file;
}
