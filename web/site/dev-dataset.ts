/** Serves the dataset in development. @module */
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import type { Plugin } from "vite";

/** Returns a Vite plugin that serves the files of the folder below `/dataset/`, whole and in ranges. */
export function devDataset(folder: string): Plugin {
  return {
    name: "cairn:dev-dataset",
    apply: "serve",
    configureServer(server) {
      const app = new Hono();
      // a missing folder is a warning, which a build does not need
      app.use(serveStatic({ root: folder, onFound: (_, c) => c.header("Cache-Control", "no-cache") }));
      server.middlewares.use("/dataset", getRequestListener(app.fetch));
    },
  };
}
