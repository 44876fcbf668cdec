/**
 * In development the dataset is served from where the pipeline left it.
 * @module
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join, normalize } from "node:path";
import type { Plugin } from "vite";

/** Serves the folder at `/dataset/`. */
export function devDataset(folder: string): Plugin {
  return {
    name: "cairn:dev-dataset",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use("/dataset", (request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname));
        const file = join(folder, path);
        stat(file).then(
          ({ size }) => {
            const [start, end] = rangeOf(request.headers.range, size);
            if (end - start < size) {
              response.statusCode = 206;
              response.setHeader("Content-Range", `bytes ${start}-${end - 1}/${size}`);
            }
            response.setHeader("Content-Length", end - start);
            response.setHeader("Cache-Control", "no-cache");
            createReadStream(file, { start, end: Math.max(start, end - 1) }).pipe(response);
          },
          () => {
            response.statusCode = 404;
            response.end();
          },
        );
      });
    },
  };
}

/** Half-open; of a header that is not as our own requests have it, all of the file. */
function rangeOf(header: string | undefined, size: number): [start: number, end: number] {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header ?? "") ?? [];
  const [start, end] = [Number(first), Math.min(size, Number(last) + 1)];
  return start < end ? [start, end] : [0, size];
}
