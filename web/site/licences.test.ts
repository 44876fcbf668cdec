import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { licencesText } from "./licences.ts";

test("a site contains our terms and the terms of every package that it may contain", async () => {
  const text = await licencesText();
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as {
    packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>;
  };
  const projects = Object.entries(packages).filter(([folder]) => !folder.includes("node_modules/"));
  const libraries = projects.flatMap(([, { dependencies }]) => Object.entries(dependencies ?? {}));
  expect(libraries.length).toBeGreaterThan(50);
  for (const [name, version] of libraries) {
    const head = `\n${name}, ${version}, `;
    if (["tsx", "typescript", "vite"].includes(name)) expect(text).not.toContain(head);
    else expect(text).toContain(head);
  }
  for (const terms of [
    "Natural Earth",
    "Apache License",
    "Copyright (c) 2023, MapLibre",
    "Copyright (c) 2015-present Jason Miller",
    "GNU LESSER GENERAL PUBLIC LICENSE",
  ]) {
    expect(text).toContain(terms);
  }
  expect(text).not.toContain("no licence named");
});
