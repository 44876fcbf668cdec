import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { BADGES, badgesOf } from "../../.ci/badges.mjs";
import { parseManifest } from "../../data/format/manifest-schema.ts";
import { MAP_SCRIPTS } from "../../pipeline/cli/map/index.ts";
import { makeProgram } from "../../pipeline/cli/program.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { blocksOf, pages, projectPages } from "./blocks.ts";
import { ERRORS_PAGE, errorsPage } from "./errors-page.ts";
import { REST_PAGE, restPage } from "./rest-page.ts";

const PAGES = await pages();
/** Links of the README to pages that GitHub makes for the repository. */
const ON_HOST = "../../actions/workflows/";

test("the pages show examples as the tests run them", async () => {
  let shown = 0;
  for (const page of PAGES) {
    for (const { file, text } of await blocksOf(page)) {
      if (!file) continue;
      expect(text.trimEnd(), `${page}: ${file}`).toBe((await readFile(file, "utf8")).trimEnd());
      shown++;
    }
  }
  expect(shown).toBeGreaterThan(5);
});

test("the REST reference is what the interface says of itself: else npm run docs", async () => {
  expect(await readFile(REST_PAGE, "utf8")).toBe(restPage());
});

test("the page of errors is made from the list in the program: otherwise run npm run docs", async () => {
  expect(await readFile(ERRORS_PAGE, "utf8")).toBe(errorsPage());
});

test("the badges show the version and licence of the package: otherwise run node .ci/badges.mjs", async () => {
  const badges = Object.entries(badgesOf(JSON.parse(await readFile("package.json", "utf8"))));
  for (const [name, text] of badges) expect(await readFile(join(BADGES, name), "utf8"), name).toBe(text);
  const linked = (await readFile("README.md", "utf8")).matchAll(/\]\(\.\.\/\.\.\/actions\/workflows\/([\w.]+)/g);
  const workflows = [...linked].map(([, name = ""]) => name);
  expect(workflows.length).toBeGreaterThan(0);
  for (const name of workflows) expect((await stat(join(".github/workflows", name))).isFile()).toBe(true);
});

test("scripts and commands that are named in passing are there", async () => {
  const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as { scripts: Record<string, string> };
  const commands = ["help", ...makeProgram().commands.map((command) => command.name())];
  const missing: string[] = [];
  let named = 0;
  for (const page of PAGES) {
    const text = await readFile(page, "utf8");
    const namesIn = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
    // a page about a new map names the new map's scripts too
    const known = /cairn init/.test(text) ? { ...scripts, ...MAP_SCRIPTS } : scripts;
    const inScripts = namesIn(/npm run (?:-s )?([\w:-]+\w)/g).filter((name) => !(name in known));
    const inCommands = namesIn(/(?:`cairn|run -s cairn --) (\w+)/g).filter((name) => !commands.includes(name));
    missing.push(...[...inScripts, ...inCommands].map((name) => `${page}: ${name}`));
    named += namesIn(/(npm run|`cairn \w)/g).length;
  }
  expect(missing).toEqual([]);
  expect(named).toBeGreaterThan(30);
});

test("the SQL of the specification sees each row once", async () => {
  const [{ text = "" } = {}] = (await blocksOf("data/spec/README.md")).filter(({ language }) => language === "sql");
  const sample = await buildSample();
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`SET file_search_path = '${sample}'`);
  const counted = (await connection.runAndReadAll(text)).getRows().map(([country, rows]) => [country, Number(rows)]);
  const { collections } = parseManifest(JSON.parse(await readFile(join(sample, "manifest.json"), "utf8")));
  expect(Object.fromEntries(counted)).toEqual(collections.place?.countries);
});

test("links between the pages lead to files, and to headings that are there", async () => {
  const broken: string[] = [];
  for (const page of [...PAGES, ...(await projectPages())]) {
    const text = (await readFile(page, "utf8")).replaceAll(/^```.*?^```$/gms, "").replaceAll(/`[^`\n]*`/g, "");
    for (const [, target = "", heading] of text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g)) {
      if (/^[a-z]+:/.test(target) || target.startsWith(ON_HOST)) continue;
      const path = target === "" ? page : join(dirname(page), target);
      const isThere = await stat(path).catch(() => undefined);
      if (!isThere) broken.push(`${page}: ${target}`);
      else if (heading && !(await headingsOf(path)).includes(heading)) broken.push(`${page}: ${target}#${heading}`);
    }
  }
  expect(broken).toEqual([]);
});

/** The headings of a page, as links name them. */
async function headingsOf(page: string): Promise<string[]> {
  const headings = (await readFile(page, "utf8")).match(/^#+ .*$/gm) ?? [];
  return headings.map((line) =>
    line
      .replace(/^#+ /, "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
