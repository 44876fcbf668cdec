import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAP_STEPS } from "../../pipeline/cli/commands/start.ts";
import { openTerminal } from "../../pipeline/testing/terminal.ts";
import { makeRelease } from "../bench/synth/release.ts";
import { installPackage, type PackedPackage, packPackage } from "./packed-package.ts";

const run = promisify(execFile);

const MOST_BYTES = 25e6;

let packed: PackedPackage;
let scratch: string;
/** A folder with only the package. */
let empty: string;

beforeAll(async () => {
  packed = await packPackage();
  scratch = await realpath(await mkdtemp(join(tmpdir(), "cairn-package-")));
  empty = join(scratch, "empty");
  await installPackage(empty, packed);
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

async function cairn(...args: string[]): Promise<string> {
  const { stdout } = await run("npx", ["--no-install", "cairn", ...args], { cwd: empty });
  return stdout;
}

test("the tarball is small, and lists only runtime dependencies", async () => {
  expect((await stat(packed.tarball)).size).toBeLessThan(MOST_BYTES);
  const {
    dependencies,
    devDependencies,
    scripts,
    private: isPrivate,
    bin,
  } = JSON.parse(await readFile(join(packed.folder, "package.json"), "utf8"));
  expect(Object.keys(dependencies)).toEqual(["@duckdb/node-api", "parquet-wasm"]);
  expect([devDependencies, scripts, isPrivate]).toEqual([undefined, undefined, undefined]);
  expect(await readFile(join(packed.folder, bin.cairn), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  for (const name of await readdir(join(packed.folder, "dist/cli"))) {
    const text = await readFile(join(packed.folder, "dist/cli", name), "utf8");
    const packages = [...text.matchAll(/^(?:import|export)[^;]*?from\s*["']([^."'][^"']*)["']/gm)].map(
      ([, found]) => found ?? "",
    );
    expect(
      packages.filter((found) => !isBuiltin(found) && !(found in dependencies)),
      name,
    ).toEqual([]);
  }
});

test("every entry point can be imported in Node, and exports its documented names", async () => {
  const { exports } = JSON.parse(await readFile(join(packed.folder, "package.json"), "utf8"));
  const entries = Object.keys(exports).filter((name) => name !== "./package.json");
  // A bundler may choose it for a program that renders pages in Node.
  const browserModule = "./node_modules/cairn-map/dist/page/embed/cairn.js";
  const names = [...entries.map((name) => name.replace(".", "cairn-map")), browserModule];
  const program = `for (const name of ${JSON.stringify(names)})
    console.log(name.replace("cairn-map", "."), Object.keys(await import(name)).sort().join());`;
  await writeFile(join(empty, "names.mjs"), program);
  const { stdout, stderr } = await run(process.execPath, ["names.mjs"], { cwd: empty });
  expect(stderr).toBe("");
  const shared = "RequestError,cairnProtocol,maplibreGeocoder,open,register";
  expect(stdout.trim().split("\n")).toEqual([
    `. ${shared}`,
    "./map CairnMapElement",
    "./react CairnMapElement",
    "./preact CairnMapElement",
    "./edge default",
    `${browserModule.replace("cairn-map", ".")} ${shared}`,
  ]);
});

test("publint and arethetypeswrong find no problem", async () => {
  expect((await run("npx", ["--no-install", "publint", "--strict", packed.folder])).stdout).toContain("All good!");
  // Exits with 1 for a problem. This profile has no CommonJS.
  const types = await run("npx", [
    "--no-install",
    "attw",
    packed.tarball,
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
  // Two processes, which the program starts from its own file.
  const built = await cairn("build", "monaco", "--out", "dataset", "--workers", "2");
  expect(built).toMatch(/^release 2026-10-21.0: \d+ rows in \d+ partitions, \d+ bytes, 0 rejected$/m);
  expect(await cairn("verify", "dataset")).not.toContain("FAULT");
  expect(await cairn("query", "dataset", "/places?country=MC&limit=1")).toContain('"theme":"places"');
  expect(await cairn("site", "dataset", "--out", "site")).toMatch(/^site: \d+ files, \d+ bytes, dataset dataset\n$/);
  expect((await readdir(join(empty, "site"))).sort()).toEqual(
    expect.arrayContaining(["_headers", ".nojekyll", "dataset", "index.html", "licences.txt", "service-worker.js"]),
  );
  await expect(cairn("site", "dataset", "--out", "monaco")).rejects.toThrow("monaco: contains ");
});

/** Runs the package's program until the work with its address is done. */
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

test("a new user: init, npm install of the tarball, and the map's scripts", {
  timeout: 600_000,
}, async () => {
  const mirror = join(scratch, "divisions");
  await makeRelease({ out: mirror, releases: ["2026-10-21.0"], types: ["place", "division", "division_area"] });
  const begin = ["init", "my-map", "--place", "Monaco", "--from", mirror, "--package", packed.tarball];
  expect(await cairn(...begin)).toMatch(/\nnext: cd my-map && npm install && npm start\n$/);
  await expect(cairn(...begin)).rejects.toThrow("my-map/map.json is there already");
  const shown = await readFile("docs/start/area.md", "utf8");
  expect(shown).toMatch(
    /^npx --package (\S+) cairn init my-map --place Monaco --package \1\ncd my-map && npm install\nnpm start\n/m,
  );
  const map = join(empty, "my-map");
  const npm = async (...args: string[]) => (await run("npm", args, { cwd: map })).stdout;
  await npm("install", "--no-audit", "--no-fund", "--prefer-offline");
  const settings = JSON.parse(await readFile(join(map, "map.json"), "utf8"));
  const { scripts } = JSON.parse(await readFile(join(map, "package.json"), "utf8"));
  expect([scripts.get, scripts.build, scripts.sign, scripts.site, scripts.serve]).toEqual(
    [...MAP_STEPS, "serve"].map((step) => `cairn ${step}`),
  );
  const credit = { dataset: "town", license: "CC0-1.0", text: "The town" };
  await writeFile(join(map, "map.json"), JSON.stringify({ ...settings, title: "Our town", attribution: [credit] }));
  // In a terminal, because a progress bar must not keep a command alive.
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
  expect(await npm("run", "keep")).toContain("previous: no older release to keep");
  expect(await npm("run", "check")).not.toContain("FAULT");
});

test("the module of the package opens the dataset in Node", async () => {
  const program = `import { open } from "cairn-map"; const cairn = await open("dataset");
    const { count } = await cairn.search("places", { country: "MC", limit: 1 }); console.log(count);`;
  await writeFile(join(empty, "program.mjs"), program);
  const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: empty });
  expect(Number(stdout)).toBeGreaterThan(500);
});
