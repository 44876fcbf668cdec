/**
 * Writes `llms.txt` and `llms-full.txt` of a site from the docs, for programs that read documentation.
 * @see https://llmstxt.org/
 * @module
 */
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

/** Pages for users of a site. Those for people who build it are left out. */
const PAGES = [
  ["docs/reference/rest.md", "REST interface: paths, parameters, answers, errors"],
  ["docs/guides/agents.md", "tools for agents, by the Model Context Protocol"],
  ["docs/guides/export.md", "formats of answers and exports"],
  ["docs/guides/tiles.md", "vector tiles"],
  ["docs/guides/changes.md", "what changed between two releases"],
  ["docs/guides/python.md", "the dataset in Python"],
  ["docs/guides/ogc.md", "OGC API - Features, for desktop GIS"],
  ["docs/guides/embedding.md", "the ES module, for pages, workers and Node"],
  ["docs/guides/field.md", "what works without a network"],
  ["data/spec/README.md", "the dataset's files, for readers in any language"],
  ["data/spec/columns.md", "the columns of the rows"],
] as const;

const SUMMARY =
  "Searchable map data (Overture Maps: places, buildings, addresses, roads, divisions) from static files. A service worker answers REST requests in the browser; nothing runs on the host.";

interface Text {
  readonly name: string;
  readonly source: string;
}

/** Returns a Vite plugin that adds both files to the build of the page. `at` returns the path of a file of the repository. */
export function emitLlmsTexts(at: (path: string) => string): Plugin {
  return {
    name: "cairn:llms-texts",
    async generateBundle() {
      const pages = await Promise.all(
        PAGES.map(async ([path, says]) => [await readFile(at(path), "utf8"), says] as const),
      );
      for (const { name, source } of llmsTexts(pages)) this.emitFile({ type: "asset", fileName: name, source });
    },
  };
}

/** Returns both texts, made from pages with a description each. Throws for a page without a title. */
export function llmsTexts(pages: readonly (readonly [markdown: string, says: string])[]): readonly Text[] {
  const markdownTexts = pages.map(([markdown, says]) => ({
    says,
    title: titleOf(markdown),
    text: withoutLinks(markdown).trim(),
  }));
  const links = markdownTexts.map(({ title, says }) => `- [${title}](llms-full.txt): ${says}`);
  const brief = [
    "# Cairn",
    `> ${SUMMARY}`,
    "The dataset's release, its size and whom to credit are in the manifest. Say the attribution where records are shown.",
    "## Data",
    "- [Manifest](dataset/manifest.json): release, rows, attribution\n- [Catalogue](dataset/catalog.json): STAC, each file with its box",
    "## Interface",
    "- [Reference](docs/): the OpenAPI document, to try it",
    `## Documentation\n\n${links.join("\n")}`,
  ];
  return [
    { name: "llms.txt", source: `${brief.join("\n\n")}\n` },
    { name: "llms-full.txt", source: `${markdownTexts.map(({ text }) => text).join("\n\n")}\n` },
  ];
}

function titleOf(markdown: string): string {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (title === undefined) throw new Error(`a page has no title: ${markdown.slice(0, 80)}`);
  return title;
}

/**
 * Returns the text without pictures, and with the texts of links instead of links: the linked pages are not on the site. Code is
 * unchanged.
 */
function withoutLinks(markdown: string): string {
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part
            .replace(/!\[[^\]]*\]\([^)]*\)\n?/g, "")
            .replace(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, "$1")
            .replace(/<!--.*?-->\n?/g, "")
            .replace(/^<LiveMap .*\/>\n\n?/gm, ""),
    )
    .join("");
}
