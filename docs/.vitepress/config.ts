/**
 * The docs site. `npm run docs:site` builds it.
 * @module
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { API_PAGES } from "./api.ts";
import { rewriteLinks } from "./links.ts";
import { RENAMED, sidebarOf } from "./sidebar.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export default defineConfig({
  title: "Cairn",
  description: "Searchable map data without a server",
  lang: "en",
  srcDir: "..",
  srcExclude: [
    "!(docs|data)/**",
    "data/*.md",
    "data/!(spec)/**",
    "data/spec/!(README|columns|CHANGELOG).md",
    "data/spec/*/**",
    "*.md",
  ],
  rewrites: {
    "docs/:page(.*)": ":page",
    ...Object.fromEntries(Object.entries(RENAMED).map(([page, name]) => [page, `${name}.md`])),
  },
  cacheDir: `${root}.cairn/docs-cache`,
  // The site's own pages and files only: nothing is loaded from another host.
  head: [["meta", { name: "referrer", content: "no-referrer" }]],
  markdown: {
    config(md) {
      md.core.ruler.push("cairn:links", ({ env, tokens }) => {
        rewriteLinks((env.realPath ?? env.path).slice(root.length), tokens);
        return false;
      });
    },
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "cairn-map" } } },
  // The repository's own configuration is for another version of Vite.
  vite: {
    configFile: false,
    publicDir: false,
    define: { __CAIRN_LIVE__: JSON.stringify(process.env.CAIRN_DOCS_LIVE ?? "live/") },
    build: { chunkSizeWarningLimit: 2000 },
  },
  themeConfig: {
    search: { provider: "local" },
    sidebar: [...sidebarOf(root), { text: "API", collapsed: true, items: API_PAGES }],
    outline: [2, 3],
    nav: [
      { text: "Start", link: "/start/own-data" },
      { text: "Guides", link: "/guides/embedding" },
      { text: "Reference", link: "/reference/rest" },
    ],
  },
});
