import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { licencesText } from "./licences.ts";

test("a site contains our terms and the terms of every package that it may contain", async () => {
  const text = await licencesText();
  const { dependencies } = JSON.parse(await readFile("package.json", "utf8")) as { dependencies: object };
  for (const [name, version] of Object.entries(dependencies)) {
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
