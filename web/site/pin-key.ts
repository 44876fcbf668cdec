/**
 * Pins keys in a built page: writes them into the page's head and into its service worker, which may start without the page.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keyText, parseKeys } from "../../data/format/signature.ts";
import { changeCachedFile, WORKER_FILE } from "./precache.ts";

/** Checks public keys, which have commas between them. Returns them as one text with commas. Throws for an invalid key. */
export function parsePinned(key: string): string {
  return parseKeys(key).map(keyText).join(",");
}

/** Changes the built page in the folder and its service worker, so that both refuse datasets that none of the keys signed. */
export async function pinKeys(folder: string, keys: string): Promise<void> {
  await changeCachedFile(folder, "index.html", (html) => {
    const pinned = html.replace("</title>", () => `</title>\n    <meta name="cairn-key" content="${keys}" />`);
    if (pinned === html) throw new Error("index.html has no title, expected the page of a build");
    return pinned;
  });
  await setWorkerOption(folder, "cairnKey", keys);
}

/** Sets an option of the service worker in the folder, by a line at the start of its script. */
export async function setWorkerOption(folder: string, name: "cairnDataset" | "cairnKey", value: string): Promise<void> {
  const script = join(folder, WORKER_FILE);
  await writeFile(script, `self.${name}=${JSON.stringify(value)};\n${await readFile(script, "utf8")}`);
}
