import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import en from "../../web/app/text/messages/en.json" with { type: "json" };
import { pages, projectPages } from "./blocks.ts";

const FOLDERS = ["data", "docs", "e2e", "pipeline", "web", ".ci", ".github"];
const SOURCE = /\.(ts|tsx|mjs|sh|yml)$/;
const PATH = /`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g;
const TEST = /\.(test|spec|contract)\.tsx?$/;

const files = (
  await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(folder, { recursive: true })).map((path) => `/${folder}/${path}`)),
  )
).flat();

/** Pages that name controls of the page in italics, and controls of other sites. */
const WITH_LABELS = /^docs\/(?:start|guides|explanation)\//;
const LABEL = /(?<![*\w])\*([A-Z][^*\n]+)\*(?![*\w])/g;
const OTHER_LABELS = new Set(["GitHub Actions"]);

/** Whether it is in the repository: whole from its root, or the end of a path there, as pages name what their text is about. */
function isThere(path: string): boolean {
  return existsSync(path) || (!isWhole(path) && files.some((file) => file.endsWith(`/${path}`)));
}

function isWhole(path: string): boolean {
  return FOLDERS.some((folder) => path.startsWith(`${folder}/`));
}

function pathsIn(text: string): string[] {
  return [...text.replaceAll(/^```.*?^```$/gms, "").matchAll(PATH)].map(([, path = ""]) => path);
}

/** Paths that the cell names. A bare name is in the folder of the file before it. */
function testsIn(cell: string): string[] {
  let folder = "";
  return pathsIn(cell)
    .filter((path) => SOURCE.test(path))
    .map((path) => {
      if (isWhole(path)) folder = dirname(path);
      return isWhole(path) ? path : join(folder, path);
    });
}

test("files and folders of the repository that pages name are there", async () => {
  const texts = await Promise.all(
    [...(await pages()), ...(await projectPages())].map(async (page) => ({ page, text: await readFile(page, "utf8") })),
  );
  const named = texts.flatMap(({ page, text }) => pathsIn(text).map((path) => ({ page, path })));
  const ours = named.filter(({ path }) => isWhole(path) || SOURCE.test(path));
  expect(ours.length).toBeGreaterThan(50);
  // in a page about one folder, such as the dataset's specification, paths may begin there
  const missing = ours.filter(({ page, path }) => !isThere(path) && !existsSync(join(dirname(page), path)));
  expect(missing.map(({ page, path }) => `${page}: ${path}`)).toEqual([]);
});

test("every promise names tests, and they are there", async () => {
  const faults: string[] = [];
  let promises = 0;
  for (const page of await pages()) {
    const tables = (await readFile(page, "utf8")).match(/^\| promise \| tests \|\n(?:\|.*\n)+/gm) ?? [];
    for (const row of tables.flatMap((table) => table.trim().split("\n").slice(2))) {
      const [, promise = "", cell = ""] = row.split("|");
      const tests = testsIn(cell);
      if (!tests.some((path) => TEST.test(path))) faults.push(`${page}: ${promise.trim()}: names no test`);
      faults.push(...tests.filter((path) => !existsSync(path)).map((path) => `${page}:${promise}names ${path}`));
      promises++;
    }
  }
  expect(promises).toBeGreaterThan(8);
  expect(faults).toEqual([]);
});

test("labels of the page that pages name are there", async () => {
  const labels = new Set(Object.values(en).map(labelOf));
  const named: { readonly page: string; readonly label: string }[] = [];
  for (const page of (await pages()).filter((path) => WITH_LABELS.test(path))) {
    const text = (await readFile(page, "utf8")).replaceAll(/^```.*?^```$/gms, "");
    for (const [, label = ""] of text.matchAll(LABEL)) named.push({ page, label });
  }
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(({ label }) => !labels.has(labelOf(label)) && !OTHER_LABELS.has(label));
  expect(missing).toEqual([]);
});

/** A label without what a page may write in another way: the apostrophe, and the dots at its end. */
function labelOf(text: string): string {
  return text
    .replaceAll("’", "'")
    .replace(/[….]+$/, "")
    .toLowerCase();
}
