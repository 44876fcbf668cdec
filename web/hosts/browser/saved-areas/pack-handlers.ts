import { type AreaPack, PACKS_LIST_PATH, parsePacksList } from "../../../../data/format/packs-list.ts";
import { sha256Of } from "../../../../data/format/sha256.ts";
import { fetchWithin, readBody } from "../../http/index.ts";
import type { PackCalls, RemoteHandlers, SaveProgress } from "../protocol/index.ts";

/** Folder of the area files, relative to the folder of the dataset. */
const FOLDER = "../packs/";

/** Maximum bytes of the list: enough for some thousands of area files. */
const MAX_LIST_BYTES = 2 ** 20;

/** Returns handlers that list the area files that the site offers, and import one like a file from another device. */
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
      const list = await readBody(response, { maxBytes: MAX_LIST_BYTES });
      if (list.length > MAX_LIST_BYTES)
        throw new Error(`${PACKS_LIST_PATH} has more than ${MAX_LIST_BYTES} bytes, the maximum`);
      return parsePacksList(new TextDecoder().decode(list));
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

/** Fetches an area file. Throws `PackError` when it differs from the list in size or SHA-256. */
async function fetchPack(pack: AreaPack, address: URL, { signal, report }: FetchOptions): Promise<Blob> {
  const response = await fetchWithin(address, { signal });
  if (!response.ok) throw new PackError(`${pack.file}: status ${response.status}, expected 200`);
  let bytes = 0;
  const onChunk = (more: number): void => {
    bytes += more;
    report({ files: 0, totalFiles: 1, bytes: Math.min(bytes, pack.bytes), totalBytes: pack.bytes });
  };
  const content = await readBody(response, { maxBytes: pack.bytes, onChunk });
  if (content.length > pack.bytes)
    throw new PackError(`${pack.file} has more than the ${pack.bytes} bytes in the list`);
  if (content.length < pack.bytes)
    throw new PackError(`${pack.file} has ${content.length} bytes, expected ${pack.bytes}`);
  const sha256 = await sha256Of(content);
  if (sha256 !== pack.sha256) throw new PackError(`${pack.file} has SHA-256 ${sha256}, expected ${pack.sha256}`);
  return new Blob([content], { type: "application/x-tar" });
}
