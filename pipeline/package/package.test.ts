import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRelease } from "../../e2e/bench/synth/release.ts";
import { MAP_STEPS } from "../cli/start.ts";
import { exists } from "../disk/index.ts";
import { openTerminal } from "../testing/terminal.ts";
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
  await run("mv", [join(modules, "package"), join(modules, "cairn-map")]);
  const { bin, dependencies } = JSON.parse(await readFile(join(modules, "cairn-map/package.json"), "utf8"));
  await symlink(join("../cairn-map", bin.cairn), join(modules, ".bin/cairn"));
  // as npm does
  await chmod(join(modules, "cairn-map", bin.cairn), 0o755);
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
  expect(types.stdout).toContain('"cairn-map/map"');
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

/** Runs the package's program until the work is done with its address. */
async function serving(folder: string, args: readonly string[], work: (url: string) => Promise<void>): Promise<void> {
  const program = join(folder, "node_modules/cairn-map/dist/cli/main.js");
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  try {
    let said = "";
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (/^REST /m.test(said)) break;
    }
    await work(/^page {2}(http:\S+)$/m.exec(said)?.[1] ?? "");
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

test("serves the page and the dataset", () =>
  serving(empty, ["serve", "dataset", "--port", "0"], async (url) => {
    const page = await fetch(url, { headers: { accept: "text/html" } });
    expect([page.status, (await page.text()).includes("<title>")]).toEqual([200, true]);
    expect((await fetch(`${url}places?country=MC&limit=1`)).status).toBe(200);
  }));

test("a stranger's way: init, npm install of the tarball, and the map's own scripts", {
  timeout: 600_000,
}, async () => {
  const mirror = join(scratch, "divisions");
  await makeRelease({ out: mirror, releases: ["2026-10-21.0"], types: ["place", "division", "division_area"] });
  const begin = ["init", "my-map", "--place", "Monaco", "--from", mirror, "--package", tarball];
  expect(await cairn(...begin)).toMatch(/\nnext: cd my-map && npm install && npm start\n$/);
  await expect(cairn(...begin)).rejects.toThrow("my-map/map.json is there already");
  const shown = await readFile("docs/quick-start-map.md", "utf8");
  expect(shown).toMatch(
    /^npx --package (\S+) cairn init my-map --place Monaco --package \1\ncd my-map && npm install\nnpm start\n/m,
  );
  const map = join(empty, "my-map");
  const npm = async (...args: string[]) => (await run("npm", args, { cwd: map })).stdout;
  await npm("install", "--no-audit", "--no-fund", "--prefer-offline");
  const settings = JSON.parse(await readFile(join(map, "map.json"), "utf8"));
  const { scripts } = JSON.parse(await readFile(join(map, "package.json"), "utf8"));
  expect([scripts.get, scripts.build, scripts.site, scripts.serve]).toEqual(
    [...MAP_STEPS, "serve"].map((step) => `cairn ${step}`),
  );
  const credit = { dataset: "town", license: "CC0-1.0", text: "The town" };
  await writeFile(join(map, "map.json"), JSON.stringify({ ...settings, title: "Our town", attribution: [credit] }));
  // as a person does at a keyboard: a bar must not keep any of the commands from ending
  const session = openTerminal(["npm", "start", "--", "--port", "0"], { cwd: map });
  const [, url = ""] = await session.until(/page {2}(http:\S+)/);
  expect(session.text()).toMatch(/extract: release 2026-10-21.0, [\d,]+ rows of 3 types, /);
  expect(session.text()).toMatch(/release 2026-10-21.0: \d+ rows in /);
  expect(session.text()).toMatch(/site: \d+ files, /);
  const page = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  expect(page).toContain("<title>Our town</title>");
  const found = await (await fetch(`${url}places?lat=43.7384&lng=7.4246&radius=300&limit=5`)).text();
  expect(JSON.parse(found)).toHaveLength(5);
  const { attribution } = JSON.parse(await (await fetch(`${url}dataset/manifest.json`)).text());
  expect(attribution[0]).toEqual(credit);
  session.interrupt();
  await session.ended;
  await expect(fetch(url)).rejects.toThrow();
  expect(await npm("run", "keep")).toContain("previous: no older release, nothing to keep");
  expect(await npm("run", "check")).not.toContain("FAULT");
});

test("the module of the package opens the dataset in Node", async () => {
  const program = `import { open } from "cairn-map"; const cairn = await open("dataset");
    const { count } = await cairn.search("places", { country: "MC", limit: 1 }); console.log(count);`;
  await writeFile(join(empty, "program.mjs"), program);
  const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: empty });
  expect(Number(stdout)).toBeGreaterThan(500);
});
