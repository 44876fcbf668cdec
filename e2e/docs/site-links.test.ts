import { expect, test } from "vitest";
import { rewriteLinks, siteLink, type Token } from "../../docs/.vitepress/links.ts";
import { sidebarOf, sitePath } from "../../docs/.vitepress/sidebar.ts";
import { pages } from "./blocks.ts";

/** Pages of the repository that the site does not have. */
const OUTSIDE = new Set(["README.md", "data/README.md", "data/spec/vectors/README.md", "docs/index.md"]);

test("the sidebar of the docs site has every page of the docs once", async () => {
  const groups = sidebarOf(".");
  expect(groups.map(({ text }) => text)).toEqual(["Start", "Guides", "Reference", "Explanation", "Decisions"]);
  const links = groups.flatMap(({ items }) => items.map(({ link }) => link));
  const expected = (await pages())
    .filter((page) => !OUTSIDE.has(page) && !page.startsWith("docs/examples/"))
    .map((page) => `/${sitePath(page)}`);
  expect(links.toSorted()).toEqual(expected.toSorted());
});

test("links between pages stay, and links to other files of the repository become text", () => {
  expect(siteLink("docs/guides/python.md", "../../data/spec/README.md#files")).toBe("/reference/file-format#files");
  expect(siteLink("docs/guides/python.md", "../start/area.md")).toBe("/start/area");
  expect(siteLink("data/spec/README.md", "../../docs/guides/export.md")).toBe("/guides/export");
  expect(siteLink("docs/guides/python.md", "#files")).toBe("#files");
  expect(siteLink("docs/guides/python.md", "https://example.org/")).toBe("https://example.org/");
  expect(siteLink("docs/guides/hosting.md", "../hosting/Caddyfile")).toBeUndefined();
  expect(siteLink("docs/contributing.md", "../CHANGELOG.md")).toBeUndefined();
  const link = (href: string): Token => ({ type: "link_open", tag: "a", attrs: [["href", href]], children: null });
  const close = (): Token => ({ type: "link_close", tag: "a", attrs: null, children: null });
  const children = [link("../hosting/Caddyfile"), close(), link("page.md"), close()];
  rewriteLinks("docs/guides/hosting.md", [{ type: "inline", tag: "", attrs: null, children }]);
  expect(children.map(({ tag, attrs }) => [tag, attrs])).toEqual([
    ["span", []],
    ["span", null],
    ["a", [["href", "/guides/page"]]],
    ["a", null],
  ]);
});
