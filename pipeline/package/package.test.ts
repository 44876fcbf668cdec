import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRelease } from "../../e2e/bench/synth/release.ts";
import { exists } from "../disk/index.ts";
import { makePackage } from "./make-package.ts";

const run = promisify(execFile);

const MOST_BYTES = 25e6;

let scratch: string;
let made: string;
let tarball: string;
/** A folder with nothing but the package, as npm would have put it there. */
let empty: string;

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), "cairn-package-")));
  made = process.env.CAIRN_TEST_PACKAGE ?? join(scratch, "package");
  if (!(await exists(made))) await makePackage(made);
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", scratch, made]);
  tarball = join(scratch, (JSON.parse(stdout) as { filename: string }[])[0]?.filename ?? "");
  empty = join(scratch, "empty");
  await unpack(empty);
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

async function unpack(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, ".bin"), { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", modules]);
  await run("mv", [join(modules, "package"), join(modules, "cairn")]);
  const { bin, dependencies } = JSON.parse(await readFile(join(modules, "cairn/package.json"), "utf8"));
  await symlink(join("../cairn", bin.cairn), join(modules, ".bin/cairn"));
  // as npm does
  await chmod(join(modules, "cairn", bin.cairn), 0o755);
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(resolve("node_modules", name), join(modules, name));
  }
  await writeFile(join(folder, "package.json"), "{}\n");
}

async function cairn(...args: string[]): Promise<string> {
  const { stdout } = await run("npx", ["--no-install", "cairn", ...args], { cwd: empty });
  return stdout;
}

test("the tarball is small, and names just what runs", async () => {
  expect((await stat(tarball)).size).toBeLessThan(MOST_BYTES);
  const {
    dependencies,
    devDependencies,
    scripts,
    private: isPrivate,
    bin,
  } = JSON.parse(await readFile(join(made, "package.json"), "utf8"));
  expect(Object.keys(dependencies)).toEqual(["@duckdb/node-api", "parquet-wasm"]);
  expect([devDependencies, scripts, isPrivate]).toEqual([undefined, undefined, undefined]);
  expect(await readFile(join(made, bin.cairn), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  for (const name of await readdir(join(made, "dist/cli"))) {
    const text = await readFile(join(made, "dist/cli", name), "utf8");
    const packages = [...text.matchAll(/^(?:import|export)[^;]*?from\s*["']([^."'][^"']*)["']/gm)].map(
      ([, found]) => found ?? "",
    );
    expect(
      packages.filter((found) => !isBuiltin(found) && !(found in dependencies)),
      name,
    ).toEqual([]);
  }
});

test("publint and arethetypeswrong find nothing", async () => {
  expect((await run("npx", ["--no-install", "publint", "--strict", made])).stdout).toContain("All good!");
  // fails where there is a problem; CommonJS is none of the profile's
  const types = await run("npx", [
    "--no-install",
    "attw",
    tarball,
    "--profile",
    "esm-only",
    "--format",
    "ascii",
    "--no-emoji",
  ]);
  expect(types.stdout).toContain('"cairn/map"');
});

test("from an empty folder to a site: get, build, verify, site", async () => {
  const mirror = join(scratch, "mirror");
  await makeRelease({ out: mirror, releases: ["2026-10-21.0"], types: ["place", "building"] });
  expect(await cairn("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  const got = await cairn("get", "--from", mirror, "--bbox", "7.40,43.72,7.44,43.76", "--out", "monaco");
  expect(got).toMatch(/^monaco: release 2026-10-21.0, [\d,]+ rows of 2 types, /m);
  // two processes, which the program starts by its own file
  const built = await cairn("build", "monaco", "--out", "dataset", "--workers", "2");
  expect(built).toMatch(/^release 2026-10-21.0: \d+ rows in \d+ partitions, \d+ bytes, 0 rejected$/m);
  expect(await cairn("verify", "dataset")).not.toContain("FAULT");
  expect(await cairn("query", "dataset", "/places?country=MC&limit=1")).toContain('"theme":"places"');
  expect(await cairn("site", "dataset", "--out", "site")).toMatch(/^site: \d+ files, \d+ bytes, dataset dataset\n$/);
  expect((await readdir(join(empty, "site"))).sort()).toEqual(
    expect.arrayContaining(["_headers", ".nojekyll", "dataset", "index.html", "licences.txt", "service-worker.js"]),
  );
  await expect(cairn("site", "dataset", "--out", "monaco")).rejects.toThrow("monaco: holds ");
});

test("serves the page and the dataset", async () => {
  const args = [join(empty, "node_modules/cairn/dist/cli/main.js"), "serve", "dataset", "--port", "0"];
  const child = spawn(process.execPath, args, { cwd: empty, stdio: ["ignore", "pipe", "inherit"] });
  try {
    let said = "";
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (/^REST /m.test(said)) break;
    }
    const url = /^page {2}(http:\S+)$/m.exec(said)?.[1] ?? "";
    const page = await fetch(url, { headers: { accept: "text/html" } });
    expect([page.status, (await page.text()).includes("<title>")]).toEqual([200, true]);
    expect((await fetch(`${url}places?country=MC&limit=1`)).status).toBe(200);
  } finally {
    child.kill();
    await once(child, "exit");
  }
});

test("the module of the package opens the dataset in Node", async () => {
  const program = `import { open } from "cairn"; const cairn = await open("dataset");
    const { count } = await cairn.search("places", { country: "MC", limit: 1 }); console.log(count);`;
  await writeFile(join(empty, "program.mjs"), program);
  const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: empty });
  expect(Number(stdout)).toBeGreaterThan(500);
});
