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
            response.setHeader("Content-Length", size);
            response.setHeader("Cache-Control", "no-cache");
            createReadStream(file).pipe(response);
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
