/**
 * A search of two rows in the script, while the host sends the manifest. A browser compiles functions when they run first: in the first
 * search that takes as long as a round trip.
 * @module
 */
import { bytesOfBase64 } from "../../data/format/bytes.ts";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import { toUtf8 } from "../../data/format/utf8.ts";
import { type ByteSource, FetchError, nextTask, openDataset } from "../engine/index.ts";
import { createCairn } from "./cairn.ts";
import FILES from "./practice.json" with { type: "json" };

let isDone = false;

/** Searches, once for each script. Returns the number of rows. Throws like a search. */
export async function practise(): Promise<number> {
  if (isDone) return 0;
  isDone = true;
  // requests first
  await nextTask();
  const decode = () => Promise.reject(new Error("the rows are in the records"));
  const cairn = createCairn({ location: NAME, dataset: openDataset({ source, decode }) });
  const { count } = await cairn.search("shops", { lat: 1, lng: 1, radius: 1_000_000, limit: 2 });
  return count;
}

const NAME = "the script";
const files: Readonly<Record<string, string>> = FILES;

const source: ByteSource = {
  name: NAME,
  async read(path, { range } = {}) {
    const file = files[path];
    if (file === undefined) throw new FetchError(`${path} is not in ${NAME}`, { path, status: 404 });
    const bytes = path === MANIFEST_PATH ? toUtf8(file) : bytesOfBase64(file);
    return bytes.slice(range?.start, range?.end);
  },
};
