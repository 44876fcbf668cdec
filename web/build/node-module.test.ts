import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { writeDeclarations } from "./node-module.ts";

const PROGRAM = `
import { type Feature, open, type SearchPage } from "./embed/types/web/embed/index.js";
import { open as openInNode } from "./embed/types/web/embed/node/index.js";
const cairn = await open("dataset/");
const page: SearchPage = await cairn.search("places", { lat: 43.73, lng: 7.42, radius: 300 });
for await (const { id, geometry } of cairn.buildings({ country: "MC" })) console.log(id, geometry.type, page.count);
const label = ({ properties }: Feature) => [properties.names?.primary.trim(), properties.ext_distance?.toFixed(0)];
for await (const place of cairn.places({ country: "MC" })) console.log(label(place), place.properties.confidence);
await openInNode("folder");
`;

const MISTAKES = [
  'await cairn.search("shops", { country: "MC" });',
  'await cairn.search("places", { latitude: 43.73 });',
  "const count: string = page.count;",
  "const height: number = page.features[0]?.properties.height;",
];

async function compile(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-types-"));
  await writeDeclarations(folder);
  await writeFile(join(folder, "program.mts"), program);
  const options = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--skipLibCheck",
    "--ignoreConfig",
    "--pretty",
    "false",
  ];
  const run = promisify(execFile)("npx", ["--no-install", "tsc", ...options, join(folder, "program.mts")]);
  return run.then(
    () => "",
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
}

test("a program of somebody else compiles against the types, and its mistakes are found", async () => {
  expect(await compile(PROGRAM)).toBe("");
  const found = await compile(`${PROGRAM}${MISTAKES.join("\n")}`);
  expect(found.match(/error TS\d+/g) ?? found).toHaveLength(MISTAKES.length);
});
