import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { projects } from "./blocks.ts";

/** Its README is for users of the package `cairn-reader`. */
const PUBLISHED = "web/reader";
const MOST_WORDS = 130;

const PROJECTS = await projects();
const texts = await Promise.all(
  PROJECTS.filter((project) => project !== PUBLISHED).map(async (project) => ({
    project,
    text: await readFile(`${project}/README.md`, "utf8"),
  })),
);

test("the README of a project names its tests", async () => {
  for (const { project, text } of texts) {
    const [, path = ""] = /^Tests: `npx vitest run ([\w./-]+)`\.$/m.exec(text) ?? [];
    expect(existsSync(path), project).toBe(true);
    const names = path.endsWith("/") ? await readdir(path, { recursive: true }) : [path];
    expect(
      names.filter((name) => /\.test\.tsx?$/.test(name)),
      project,
    ).not.toEqual([]);
  }
});

test(`the README of a project has at most ${MOST_WORDS} words`, () => {
  const long = texts.filter(({ text }) => text.split(/\s+/).length > MOST_WORDS);
  expect(long.map(({ project }) => project)).toEqual([]);
});
