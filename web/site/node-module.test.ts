import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { writeDeclarations } from "./node-module.ts";

const PROGRAM = `
import { type Feature, open } from "./embed/types/web/embed/index.js";
import { open as openInNode } from "./embed/types/web/embed/node/index.js";
import { CairnMapElement } from "./embed/types/web/embed/map/element.js";
import worker from "./embed/types/web/hosts/edge/index.js";
const label = ({ properties }: Feature) => [properties.names?.primary.trim(), properties.ext_distance?.toFixed(0)];
for await (const place of (await open("dataset/")).places({ country: "MC" })) console.log(label(place));
console.log(await openInNode("folder"), CairnMapElement, worker);
`;

// e2e/package/types.test.ts compiles programs against the package
test("the declarations need no package", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-types-"));
  try {
    await writeDeclarations(folder);
    await writeFile(join(folder, "program.mts"), PROGRAM);
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--ignoreConfig"];
    const args = ["--no-install", "tsc", ...options, "--pretty", "false", join(folder, "program.mts")];
    const found = await promisify(execFile)("npx", args).then(
      () => "",
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    );
    expect(found).toBe("");
  } finally {
    await rm(folder, { recursive: true });
  }
});
