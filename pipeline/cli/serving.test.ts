import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { elsewhereFiles } from "../../web/engine/testing/elsewhere.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { examplePath } from "./serving.ts";

const newFolder = temporaryFolders();

test("serve prints a search that has results in the dataset", async () => {
  const folder = await newFolder();
  for (const [path, bytes] of await elsewhereFiles()) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  expect(await examplePath(folder)).toBe("places?lat=47.142&lng=9.5235&radius=400");
  expect(await examplePath(join(folder, "nothing"))).toBe("openapi.json");
});
