import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { missingPackages } from "../.ci/fill-lock.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Modules below the page, which all of its modules may import. */
const BELOW_PAGE = [
  "data/format",
  "data/hours",
  "data/typed-points",
  "web/engine",
  "web/search",
  "web/hosts/browser/protocol",
  "web/hosts/browser/parts",
  "web/map",
];

/** The page's modules from the lowest to the highest, with the page modules that each may import. */
const PAGE: Readonly<Record<string, readonly string[]>> = {
  text: [],
  worker: [],
  address: [],
  state: ["text", "worker", "address"],
  widgets: ["text", "worker", "address", "state"],
  copy: ["text", "address", "state", "widgets"],
  files: ["text", "worker", "address", "state"],
  "saved-areas": ["text", "worker", "address", "state"],
  map: ["text", "worker", "address", "state", "widgets", "files", "saved-areas"],
  search: ["text", "worker", "address", "state", "widgets"],
  notes: ["text", "state"],
  record: ["text", "worker", "address", "state", "widgets", "copy", "notes"],
  results: ["text", "worker", "address", "state", "widgets", "files"],
  export: ["text", "worker", "address", "state", "widgets", "search", "copy", "files"],
  table: ["text", "address", "state", "widgets"],
  answer: ["text", "worker", "address", "state", "widgets", "search", "map", "copy", "console", "export"],
  console: ["text", "worker", "address", "state", "widgets", "copy", "files"],
  overture: ["text", "worker", "address", "state", "files"],
  "files/panel": ["text", "state", "widgets", "record", "files", "overture"],
  "notes/panel": ["text", "address", "state", "widgets", "notes"],
  "saved-areas/panel": ["text", "worker", "address", "state", "widgets", "search", "saved-areas"],
  docs: [],
};
const PANELS = ["saved-areas/panel", "table", "notes/panel", "files/panel", "export", "answer", "console"];
const LAYOUT = ["text", "worker", "address", "state", "widgets", "saved-areas", "search", ...PANELS];
const TOP = ["text", "worker", "state", "saved-areas", "files", "map", "search", "record", "results", "layout"];

const ofPage = (rooms: readonly string[]) => [...BELOW_PAGE, ...rooms.map((room) => `web/app/${room}`)];

/** Modules that the files of a module may import. The longest matching path counts. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "data/format": ["data/format"],
  "data/parquet": ["data/parquet"],
  "data/tables": ["data/format", "data/parquet", "data/positions", "data/tables"],
  "data/hours": ["data/format", "data/hours"],
  "data/positions": ["data/format", "data/positions"],
  "data/typed-points": ["data/typed-points"],
  "data/release": ["data/format", "data/parquet", "data/release"],
  "web/engine/contract": ["data/format", "web/engine/contract"],
  "web/engine/tasks": ["data/format", "web/engine/tasks"],
  "web/engine/arrow": ["data/format", "web/engine/arrow", "web/engine/contract"],
  "web/engine/index-tree": ["data/format", "web/engine/index-tree", "web/engine/contract", "web/engine/tasks"],
  "web/engine/store": [
    "data/format",
    "web/engine/store",
    "web/engine/contract",
    "web/engine/tasks",
    "web/engine/arrow",
    "web/engine/index-tree",
  ],
  "web/engine/plan": ["data/format", "web/engine/plan", "web/engine/contract", "web/engine/index-tree"],
  "web/engine/order": ["data/format", "web/engine/order", "web/engine/contract", "web/engine/tasks", "web/engine/plan"],
  "web/engine/terms": [
    "data/format",
    "web/engine/terms",
    "web/engine/contract",
    "web/engine/tasks",
    "web/engine/index-tree",
    "web/engine/store",
  ],
  "web/engine/cells": [
    "data/format",
    "web/engine/cells",
    "web/engine/contract",
    "web/engine/tasks",
    "web/engine/index-tree",
    "web/engine/plan",
    "web/engine/store",
  ],
  "web/engine/lists": [
    "data/format",
    "web/engine/lists",
    "web/engine/contract",
    "web/engine/tasks",
    "web/engine/index-tree",
    "web/engine/store",
    "web/engine/plan",
    "web/engine/terms",
  ],
  "web/engine/place": [
    "data/format",
    "web/engine/place",
    "web/engine/contract",
    "web/engine/tasks",
    "web/engine/index-tree",
    "web/engine/store",
    "web/engine/plan",
    "web/engine/order",
    "web/engine/terms",
  ],
  "web/engine/records": [
    "data/format",
    "web/engine/records",
    "web/engine/contract",
    "web/engine/arrow",
    "web/engine/store",
  ],
  "web/engine/suggest": [
    "data/format",
    "web/engine/suggest",
    "web/engine/contract",
    "web/engine/tasks",
    "web/engine/index-tree",
    "web/engine/store",
    "web/engine/terms",
  ],
  "web/engine": [
    "data/format",
    "web/engine",
    "web/engine/contract",
    "web/engine/tasks",
    "web/engine/arrow",
    "web/engine/index-tree",
    "web/engine/store",
    "web/engine/plan",
    "web/engine/order",
    "web/engine/terms",
    "web/engine/cells",
    "web/engine/lists",
    "web/engine/place",
    "web/engine/records",
    "web/engine/suggest",
  ],
  "web/reader": ["data/format", "web/reader"],
  "web/search": ["data/format", "web/engine", "web/search"],
  "web/geocode": ["data/format", "data/positions", "data/typed-points", "web/engine", "web/search", "web/geocode"],
  "web/changes": ["data/format", "web/engine", "web/search", "web/changes"],
  "web/mcp": ["data/format", "web/engine", "web/search", "web/geocode", "web/mcp"],
  "web/tiles": ["data/format", "web/engine", "web/search", "web/tiles"],
  "web/api": ["data/format", "web/engine", "web/search", "web/geocode", "web/changes", "web/tiles", "web/api"],
  "web/hosts/http": ["data/format", "web/engine", "web/hosts/http"],
  "web/hosts/parquet": ["data/format", "web/engine", "web/hosts/parquet"],
  "web/hosts/category-words": ["data/format", "web/engine", "web/hosts/category-words"],
  "web/hosts/node": [
    "data/format",
    "web/engine",
    "web/search",
    "web/api",
    "web/mcp",
    "web/hosts/category-words",
    "web/hosts/http",
    "web/hosts/parquet",
    "web/hosts/node",
  ],
  "web/hosts/edge": [
    "data/format",
    "web/engine",
    "web/api",
    "web/hosts/category-words",
    "web/hosts/http",
    "web/hosts/edge",
  ],
  "web/hosts/browser": [],
  "web/hosts/browser/protocol": [
    "data/positions",
    "data/format",
    "data/hours",
    "web/engine",
    "web/search",
    "web/geocode",
    "web/changes",
    "web/hosts/browser/protocol",
  ],
  "web/hosts/browser/category-words": ["data/format", "web/engine", "web/hosts/browser/category-words"],
  "web/hosts/browser/parts": ["web/hosts/browser/parts"],
  "web/hosts/browser/cache": ["web/hosts/http", "web/hosts/browser/cache"],
  "web/hosts/browser/storage": [
    "web/hosts/browser/cache",
    "data/format",
    "web/engine",
    "web/hosts/http",
    "web/hosts/browser/protocol",
    "web/hosts/browser/storage",
  ],
  "web/hosts/browser/pin": ["data/format", "web/engine", "web/hosts/browser/storage", "web/hosts/browser/pin"],
  "web/hosts/browser/wasm": [
    "web/hosts/browser/parts",
    "web/hosts/browser/cache",
    "data/format",
    "web/engine",
    "web/hosts/http",
    "web/hosts/parquet",
    "web/hosts/browser/storage",
    "web/hosts/browser/wasm",
  ],
  "web/hosts/browser/basemap": [
    "data/format",
    "web/engine",
    "web/tiles",
    "web/hosts/browser/protocol",
    "web/hosts/browser/basemap",
  ],
  "web/hosts/browser/own-files": [
    "web/hosts/browser/parts",
    "data/format",
    "data/tables",
    "web/engine",
    "web/search",
    "web/hosts/browser/protocol",
    "web/hosts/browser/storage",
    "web/hosts/browser/own-files",
  ],
  "web/hosts/browser/overture": [
    "web/hosts/browser/parts",
    "data/format",
    "data/parquet",
    "data/release",
    "web/engine",
    "web/hosts/http",
    "web/hosts/browser/protocol",
    "web/hosts/browser/own-files",
    "web/hosts/browser/overture",
  ],
  "web/hosts/browser/hours": [
    "web/hosts/browser/parts",
    "data/hours",
    "web/hosts/browser/protocol",
    "web/hosts/browser/hours",
  ],
  "web/hosts/browser/matches": [
    "data/format",
    "web/engine",
    "web/search",
    "web/hosts/browser/protocol",
    "web/hosts/browser/matches",
  ],
  "web/hosts/browser/columns": ["web/engine", "web/search", "web/hosts/browser/protocol", "web/hosts/browser/columns"],
  "web/hosts/browser/search": [
    "web/hosts/browser/columns",
    "web/hosts/browser/matches",
    "web/hosts/browser/parts",
    "data/positions",
    "web/hosts/browser/hours",
    "data/format",
    "web/engine",
    "web/search",
    "web/geocode",
    "web/mcp",
    "web/changes",
    "web/tiles",
    "web/hosts/browser/protocol",
    "web/hosts/browser/storage",
    "web/hosts/browser/statistics",
    "web/hosts/browser/search",
  ],
  "web/hosts/browser/saved-areas": [
    "web/hosts/browser/cache",
    "data/format",
    "web/engine",
    "web/hosts/http",
    "web/hosts/browser/protocol",
    "web/hosts/browser/storage",
    "web/hosts/browser/saved-areas",
  ],
  "web/hosts/browser/statistics": [
    "data/format",
    "web/engine",
    "web/search",
    "web/hosts/browser/protocol",
    "web/hosts/browser/own-files",
    "web/hosts/browser/statistics",
  ],
  "web/hosts/browser/duckdb": [
    "web/hosts/browser/parts",
    "data/format",
    "web/engine",
    "web/search",
    "web/hosts/browser/protocol",
    "web/hosts/browser/wasm",
    "web/hosts/browser/own-files",
    "web/hosts/browser/statistics",
    "web/hosts/browser/duckdb",
  ],
  "web/hosts/browser/workers": [
    "web/hosts/browser/parts",
    "web/hosts/browser/cache",
    "web/hosts/browser/category-words",
    "data/format",
    "web/engine",
    "web/search",
    "web/geocode",
    "web/tiles",
    "web/api",
    "web/hosts/http",
    "web/hosts/browser/protocol",
    "web/hosts/browser/storage",
    "web/hosts/browser/wasm",
    "web/hosts/browser/basemap",
    "web/hosts/browser/own-files",
    "web/hosts/browser/overture",
    "web/hosts/browser/matches",
    "web/hosts/browser/pin",
    "web/hosts/browser/search",
    "web/hosts/browser/saved-areas",
    "web/hosts/browser/duckdb",
    "web/hosts/browser/workers",
  ],
  "web/map": [
    "data/format",
    "data/hours",
    "web/engine",
    "web/hosts/browser/protocol",
    "web/hosts/browser/basemap",
    "web/map",
  ],
  ...Object.fromEntries(Object.entries(PAGE).map(([room, others]) => [`web/app/${room}`, ofPage([room, ...others])])),
  "web/app/layout": ofPage(["layout", ...LAYOUT]),
  "web/app": [...ofPage(TOP), "web/app"],
  "web/embed": [
    "data/format",
    "web/engine",
    "web/search",
    "web/geocode",
    "web/tiles",
    "web/api",
    "web/hosts/category-words",
    "web/hosts/browser/hours",
    "web/hosts/browser/parts",
    "web/hosts/browser/pin",
    "web/hosts/browser/protocol",
    "web/hosts/browser/workers",
    "web/hosts/node",
    "web/map",
    "web/embed",
  ],
  "web/site": [
    "data/format",
    "data/release",
    "web/site",
    "web/map",
    "web/hosts/http",
    "web/hosts/browser/basemap",
    "web/hosts/parquet",
  ],
  "pipeline/errors": ["pipeline/errors"],
  "pipeline/disk": ["pipeline/errors", "data/format", "pipeline/disk"],
  "pipeline/database": ["pipeline/errors", "data/format", "pipeline/database", "pipeline/disk"],
  "pipeline/sources": [
    "pipeline/errors",
    "data/format",
    "data/tables",
    "pipeline/sources",
    "pipeline/area",
    "pipeline/disk",
    "pipeline/database",
  ],
  "pipeline/tables": [
    "pipeline/errors",
    "data/format",
    "data/tables",
    "pipeline/tables",
    "pipeline/database",
    "pipeline/disk",
  ],
  "pipeline/live": ["pipeline/errors", "data/format", "data/release", "pipeline/live", "pipeline/disk"],
  "pipeline/rows": ["data/format", "data/tables", "pipeline/rows", "pipeline/database", "pipeline/sources"],
  "pipeline/country": [
    "data/format",
    "pipeline/country",
    "pipeline/disk",
    "pipeline/database",
    "pipeline/sources",
    "pipeline/rows",
  ],
  "pipeline/packs": ["pipeline/errors", "data/format", "pipeline/packs", "pipeline/disk"],
  "pipeline/records": ["data/format", "pipeline/records", "pipeline/database", "pipeline/packs"],
  "pipeline/partitions": [
    "data/format",
    "data/parquet",
    "pipeline/partitions",
    "pipeline/database",
    "pipeline/rows",
    "pipeline/packs",
    "pipeline/records",
  ],
  "pipeline/area": ["pipeline/errors", "data/format", "data/release", "pipeline/area", "pipeline/database"],
  "pipeline/get": [
    "pipeline/errors",
    "data/format",
    "data/parquet",
    "data/release",
    "pipeline/get",
    "pipeline/area",
    "pipeline/disk",
    "pipeline/database",
    "pipeline/sources",
    "pipeline/country",
  ],
  "pipeline/term-runs": [
    "data/format",
    "pipeline/term-runs",
    "pipeline/database",
    "pipeline/packs",
    "pipeline/records",
  ],
  "pipeline/index": ["pipeline/errors", "data/format", "pipeline/index", "pipeline/disk", "pipeline/packs"],
  "pipeline/plan": [
    "data/format",
    "pipeline/plan",
    "pipeline/disk",
    "pipeline/packs",
    "pipeline/sources",
    "pipeline/term-runs",
  ],
  "pipeline/stages": [
    "pipeline/errors",
    "data/format",
    "pipeline/stages",
    "pipeline/database",
    "pipeline/disk",
    "pipeline/sources",
    "pipeline/rows",
    "pipeline/country",
    "pipeline/packs",
    "pipeline/records",
    "pipeline/partitions",
    "pipeline/term-runs",
    "pipeline/index",
    "pipeline/plan",
  ],
  "pipeline/publish": [
    "pipeline/errors",
    "data/format",
    "pipeline/publish",
    "pipeline/disk",
    "pipeline/database",
    "pipeline/sources",
    "pipeline/partitions",
    "pipeline/index",
    "pipeline/plan",
    "pipeline/stages",
  ],
  "pipeline/execute": [
    "pipeline/errors",
    "data/format",
    "pipeline/execute",
    "pipeline/disk",
    "pipeline/database",
    "pipeline/country",
    "pipeline/plan",
    "pipeline/stages",
  ],
  "pipeline/dataset": [
    "pipeline/errors",
    "data/format",
    "pipeline/dataset",
    "pipeline/area",
    "pipeline/disk",
    "pipeline/database",
    "pipeline/sources",
    "pipeline/country",
    "pipeline/plan",
    "pipeline/stages",
    "pipeline/publish",
    "pipeline/execute",
    "pipeline/tables",
  ],
  "pipeline/verify": [
    "pipeline/errors",
    "data/format",
    "pipeline/verify",
    "pipeline/disk",
    "pipeline/database",
    "pipeline/rows",
    "pipeline/index",
    "pipeline/sign",
  ],
  "pipeline/sign": ["pipeline/errors", "data/format", "pipeline/sign", "pipeline/disk"],
  "pipeline/upload": ["pipeline/errors", "data/format", "pipeline/upload", "pipeline/disk", "web/hosts/http"],
  "pipeline/diff": ["data/format", "pipeline/diff", "pipeline/index"],
  "pipeline/changes": [
    "pipeline/errors",
    "data/format",
    "pipeline/changes",
    "pipeline/area",
    "pipeline/disk",
    "pipeline/database",
    "pipeline/index",
    "pipeline/partitions",
    "pipeline/sign",
  ],
  "pipeline/map": [
    "pipeline/errors",
    "data/tables",
    "data/format",
    "pipeline/map",
    "pipeline/area",
    "pipeline/disk",
    "web/site",
  ],
  "pipeline/doctor": [
    "pipeline/errors",
    "data/format",
    "pipeline/doctor",
    "pipeline/sign",
    "web/hosts/http",
    "web/site",
  ],
  "pipeline/pmtiles": ["pipeline/errors", "data/format", "pipeline/pmtiles", "web/engine", "web/tiles"],
  "pipeline/package": ["pipeline/package", "pipeline/disk", "pipeline/plan", "web/site"],
  // The composition root of the command line.
  "pipeline/cli": [
    "pipeline/errors",
    "data/format",
    "pipeline/cli",
    "pipeline/area",
    "pipeline/get",
    "pipeline/disk",
    "pipeline/database",
    "pipeline/execute",
    "pipeline/dataset",
    "pipeline/verify",
    "pipeline/diff",
    "pipeline/changes",
    "pipeline/map",
    "pipeline/upload",
    "pipeline/doctor",
    "pipeline/sign",
    "web/engine",
    "web/search",
    "pipeline/pmtiles",
    "web/api",
    "web/mcp",
    "web/tiles",
    "web/hosts/node",
    "web/hosts/browser/saved-areas",
    "web/site",
    "pipeline/tables",
    "pipeline/live",
  ],
  "e2e/conformance": ["e2e/conformance"],
};

/** Libraries: all of their files are public. Other modules are imported through `index.ts`. */
const LIBRARIES = ["data/format", "web/map"];

/**
 * Modules without an `index.ts` of their own. Modules in the same folder may import their files; others use the
 * folder's `index.ts`.
 */
const OPEN_INSIDE = ["web/engine"];

/** Modules without `index.ts`: programs, and modules that do not have one yet. */
const NO_DOORS = [
  "web/hosts/node",
  "web/hosts/browser/duckdb",
  "web/hosts/browser/workers",
  "web/site",
  "pipeline/cli",
  "pipeline/package",
];

/** Packages that a module may use. Default: any. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  "data/format": ["flatbush", "zod/locales", "zod/mini", "fflate"],
  "web/engine": ["apache-arrow", "apache-arrow/enum"],
};

const ROOMS = Object.keys(MAY_IMPORT).sort((a, b) => b.length - a.length);
const roomOf = (path: string) => ROOMS.find((room) => path.startsWith(`${room}/`));

async function sourceFiles(): Promise<string[]> {
  const found = await Promise.all(
    ["data/format", "data/parquet", "data/release", "data/tables", "web", "pipeline", "e2e/conformance"].map(
      async (folder) => {
        const names = await readdir(join(ROOT, folder), { recursive: true });
        return names.map((name) => `${folder}/${name}`);
      },
    ),
  );
  const isTest = (path: string) => /\.(test|contract)\.tsx?$|(^|\/)testing(\/|\.ts$)/.test(path);
  return found.flat().filter((path) => /\.tsx?$/.test(path) && !isTest(path));
}

interface Import {
  readonly from: string;
  /** A package, or a file of the project. */
  readonly target: string;
  readonly isPackage: boolean;
}

async function importsOf(file: string): Promise<Import[]> {
  const text = await readFile(join(ROOT, file), "utf8");
  return Array.from(text.matchAll(/(?:from|import)\s*\(?\s*"([\w@./?:~-]+)"/g), ([, name = ""]) => {
    const isPackage = !name.startsWith(".");
    const target = isPackage ? name : normalize(join(dirname(file), name.replace(/\?.*$/, "")));
    return { from: file, target, isPackage };
  }).filter(({ target, isPackage }) => isPackage || /\.tsx?$/.test(target));
}

const files = await sourceFiles();
const imports = (await Promise.all(files.map(importsOf))).flat();
const ownImports = imports.filter(({ isPackage }) => !isPackage);
const isUnder = (path: string, folder: string) => path.startsWith(`${folder}/`);

test("every file belongs to a module, and imports follow the allowed directions", () => {
  expect(files.length).toBeGreaterThan(150);
  expect(files.filter((file) => !roomOf(file))).toEqual([]);
  const isWrong = ({ from, target, isPackage }: Import) => {
    const room = roomOf(from) ?? "";
    if (isPackage) {
      const [, packages] = Object.entries(MAY_USE).find(([folder]) => isUnder(from, folder)) ?? [];
      return packages !== undefined && !packages.includes(target);
    }
    return !MAY_IMPORT[room]?.includes(roomOf(target) ?? "");
  };
  expect(imports.filter(isWrong).map(({ from, target }) => `${from} imports ${target}`)).toEqual([]);
});

test("a module is imported through its index.ts", () => {
  const hasDoor = (room: string) => !LIBRARIES.includes(room) && !NO_DOORS.includes(room);
  const isWrong = ({ from, target }: Import) => {
    const room = roomOf(target) ?? "";
    const folder = OPEN_INSIDE.find((open) => isUnder(target, open)) ?? room;
    return hasDoor(room) && !isUnder(from, folder) && target !== `${folder}/index.ts`;
  };
  expect(ownImports.filter(isWrong).map(({ from, target }) => `${from} imports ${target}`)).toEqual([]);
  const byOwnDoor = ownImports.filter(
    ({ from, target }) => roomOf(from) === roomOf(target) && target === `${roomOf(target)}/index.ts`,
  );
  expect(byOwnDoor.map(({ from, target }) => `${from} imports ${target}`)).toEqual([]);
});

test("modules and files have no circular imports", () => {
  const rooms = Object.entries(MAY_IMPORT).flatMap(([from, targets]) => targets.map((target) => ({ from, target })));
  expect(circleIn(rooms.filter(({ from, target }) => from !== target))).toEqual([]);
  expect(circleIn(ownImports)).toEqual([]);
});

/** Removes files without imports repeatedly. The rest is circles and files that lead to them. */
function circleIn(edges: readonly Pick<Import, "from" | "target">[]): string[] {
  let left = edges;
  for (;;) {
    const importing = new Set(left.map(({ from }) => from));
    const kept = left.filter(({ target }) => importing.has(target));
    if (kept.length === left.length) return [...importing];
    left = kept;
  }
}

test("SQL is quoted in one module", async () => {
  const texts = await Promise.all(files.map((file) => readFile(join(ROOT, file), "utf8")));
  const quoting = files.filter((_, index) =>
    /replace(All)?\(\s*["'/`]['"]{1,2}[/"'`]g?,\s*["'`](''|"")["'`]/.test(texts[index] ?? ""),
  );
  expect(quoting.sort()).toEqual(["data/format/sql.ts"]);
});

test("the pipeline creates folders with makeFolder, because Node's recursive mkdir hangs in /proc", async () => {
  const ours = files.filter((file) => file.startsWith("pipeline/"));
  const texts = await Promise.all(ours.map((file) => readFile(join(ROOT, file), "utf8")));
  expect(ours.filter((_, index) => /\bmkdir(Sync)?\([^;]*recursive/.test(texts[index] ?? ""))).toEqual([]);
});

test("the product imports only packages that `npm start` installs", async () => {
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  /** A Vite alias, this package in examples, and types. */
  const installed = new Set(["duckdb-browser-blocking", "cairn-map", "cairn-reader", "geojson", "react"]);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) installed.add(name);
  const packageOf = (target: string) => target.split("/", target.startsWith("@") ? 2 : 1).join("/");
  const missing = imports
    .filter(({ from, isPackage }) => isPackage && !isUnder(from, "e2e"))
    .map(({ from, target }) => ({ from, name: packageOf(target) }))
    .filter(({ name }) => !/^(node|virtual):/.test(name) && !installed.has(name));
  expect(missing.map(({ from, name }) => `${from} imports ${name}`)).toEqual([]);
});

test("dependencies have exact versions", async () => {
  for (const folder of [ROOT, join(ROOT, "e2e/bench"), join(ROOT, "e2e/clients")]) {
    const { dependencies, devDependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+/);
    }
  }
});

test("the lock file has the packages of every platform, and no registry host", async () => {
  const text = await readFile(join(ROOT, "package-lock.json"), "utf8");
  // Otherwise `npm ci` fails: run `node .ci/fill-lock.mjs`.
  expect(missingPackages(JSON.parse(text))).toEqual({});
  const resolved = [...text.matchAll(/"resolved": "([^"]*)"/g)].map(([, place]) => place);
  expect(resolved.sort()).toEqual(["docs/.vitepress", "e2e/bench", "e2e/clients"]);
});
