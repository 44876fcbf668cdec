/**
 * The sidebar of the docs site, from the folders and the titles of their pages.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SidebarGroup {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: { readonly text: string; readonly link: string }[];
}

/** Folders of `docs/`, in the order in which a reader needs them. */
const FOLDERS = [
  { folder: "start", text: "Start", collapsed: false },
  { folder: "guides", text: "Guides", collapsed: false },
  { folder: "reference", text: "Reference", collapsed: false },
  { folder: "explanation", text: "Explanation", collapsed: false },
  { folder: "decisions", text: "Decisions", collapsed: true },
] as const;

/** Pages of other folders. The site shows them in a group. */
export const ADDED: Readonly<Record<string, (typeof FOLDERS)[number]["folder"]>> = {
  "data/spec/README.md": "reference",
  "data/spec/columns.md": "reference",
  "data/spec/CHANGELOG.md": "reference",
  "docs/benchmarks.md": "reference",
  "docs/contributing.md": "explanation",
};

/** Paths in the site of pages of other folders. */
export const RENAMED: Readonly<Record<string, string>> = {
  "data/spec/README.md": "reference/file-format",
  "data/spec/columns.md": "reference/columns",
  "data/spec/CHANGELOG.md": "reference/format-changelog",
};

/** Returns the path of a page in the site, without its ending. */
export function sitePath(page: string): string {
  return RENAMED[page] ?? page.replace(/^docs\//, "").replace(/\.md$/, "");
}

/** Returns the groups. `root` is the folder of the repository. */
export function sidebarOf(root: string): SidebarGroup[] {
  return FOLDERS.map(({ folder, text, collapsed }) => {
    const own = readdirSync(join(root, "docs", folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${folder}/${name}`);
    const added = Object.keys(ADDED).filter((page) => ADDED[page] === folder);
    const items = [...own, ...added].map((page) => ({
      text: titleOf(readFileSync(join(root, page), "utf8"), page),
      link: `/${sitePath(page)}`,
    }));
    if (folder !== "decisions") items.sort((a, b) => (a.text < b.text ? -1 : 1));
    return { text, collapsed, items };
  });
}

function titleOf(text: string, page: string): string {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`${page} has no title, expected a line such as "# Embedding"`);
  return title.replaceAll("`", "");
}
