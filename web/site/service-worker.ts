/**
 * Builds the service worker of a page.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { buildLibrary, type Library } from "./library.ts";
import { precacheEntries, WORKER_FILE } from "./precache.ts";

/** The name that Workbox gives the list of cached files. The worker's source contains it once. */
const LIST = "self.__WB_MANIFEST";

interface ServiceWorker extends Pick<Library, "entry" | "plugins" | "alias"> {
  /** Returns whether the worker caches the file, by its path below the folder of the page. */
  readonly isCached: (path: string) => boolean;
  /** Maximum size of a file in the list. A larger one fails the build. */
  readonly maxFileBytes: number;
}

/** Returns a Vite plugin that builds the service worker after all other files of the page are written. */
export function serviceWorker({ isCached, maxFileBytes, ...library }: ServiceWorker): Plugin {
  let out = "";
  let isWritten = false;
  return {
    name: "cairn:service-worker",
    apply: "build",
    configResolved: ({ root, build }) => {
      out = resolve(root, build.outDir);
    },
    writeBundle() {
      isWritten = true;
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        if (!isWritten) return;
        const entries = await precacheEntries(out, isCached, maxFileBytes);
        await buildLibrary({ ...library, out, format: "iife", fileName: WORKER_FILE });
        const path = join(out, WORKER_FILE);
        const parts = (await readFile(path, "utf8")).split(LIST);
        if (parts.length !== 2) throw new Error(`${path}: ${LIST} occurs ${parts.length - 1} times, expected once`);
        await writeFile(path, parts.join(`[${entries.join(",")}]`));
      },
    },
  };
}
