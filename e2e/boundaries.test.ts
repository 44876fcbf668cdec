import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { missingPackages } from "../.ci/fill-lock.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Projects of the root tsconfig.json. `tsc -b` refuses an import against the order of their references. */
const PROJECTS = projectsOf("tsconfig.json").sort((a, b) => b.length - a.length);

/** Workspaces of npm. `e2e` is not one: npm leaves out the packages of a workspace inside another workspace. */
const WORKSPACES = [...PROJECTS, "docs/.vitepress", "e2e/bench", "e2e/clients"].sort();
/** Its `package.json` is the one of the package `cairn-reader`. */
const PUBLISHED = "web/reader";

/** The page's modules from the lowest to the highest, with the page modules that each may import. */
const PAGE: Readonly<Record<string, readonly string[]>> = {
  text: [],
  worker: [],
  address: [],
  settings: ["text", "address"],
  state: ["text", "worker", "address", "settings"],
  widgets: ["text", "worker", "address", "state"],
  copy: ["text", "address", "state", "widgets"],
  files: ["text", "worker", "address", "state"],
  "saved-areas": ["text", "worker", "address", "state"],
  map: ["text", "worker", "address", "settings", "state", "widgets", "files", "saved-areas"],
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

/** Folders inside a project, with the other folders of the project that each may import. `.` is for all other files. */
const FOLDERS: Readonly<Record<string, Readonly<Record<string, readonly string[] | "all">>>> = {
  "web/engine": {
    contract: [],
    tasks: [],
    arrow: ["contract"],
    "index-tree": ["contract", "tasks"],
    store: ["contract", "tasks", "arrow", "index-tree"],
    plan: ["contract", "tasks", "index-tree"],
    order: ["tasks", "plan"],
    terms: ["contract", "tasks", "index-tree", "store"],
    cells: ["contract", "tasks", "index-tree", "plan", "store"],
    lists: ["contract", "tasks", "index-tree", "store", "plan", "terms"],
    location: ["contract", "tasks", "index-tree", "store", "plan", "order", "terms", "cells"],
    records: ["contract", "arrow", "store"],
    suggest: ["contract", "tasks", "index-tree", "store", "terms"],
    table: ["contract", "arrow", "index-tree", "store", "terms"],
    ".": "all",
  },
  "web/hosts/browser": {
    protocol: [],
    "category-words": [],
    parts: [],
    cache: [],
    storage: ["cache", "protocol"],
    pin: ["storage"],
    wasm: ["parts", "cache"],
    basemap: ["protocol"],
    "own-files": ["parts", "protocol", "storage"],
    overture: ["parts", "protocol", "own-files"],
    hours: ["parts", "protocol"],
    matches: ["protocol"],
    columns: ["protocol"],
    search: ["columns", "matches", "parts", "hours", "protocol", "storage", "statistics"],
    "saved-areas": ["cache", "protocol", "storage"],
    statistics: ["protocol", "own-files"],
    duckdb: ["parts", "protocol", "wasm", "own-files", "statistics"],
    workers: "all",
  },
  "web/app": { ...PAGE, layout: LAYOUT, ".": TOP },
  "pipeline/base": { errors: [], disk: ["errors"], database: ["errors", "disk"] },
  "pipeline/overture": { borders: [], extract: [], area: [], get: ["borders", "extract", "area"] },
  "pipeline/builder": {
    sources: [],
    tables: [],
    live: [],
    rows: ["sources"],
    country: ["sources", "rows"],
    packs: [],
    records: [],
    partitions: ["rows", "packs", "records"],
    "term-runs": ["packs", "records"],
    index: ["packs"],
    plan: ["packs", "sources", "term-runs"],
    stages: ["sources", "rows", "country", "packs", "records", "partitions", "term-runs", "index", "plan"],
    publish: ["sources", "partitions", "index", "plan", "stages"],
    execute: ["country", "plan", "stages"],
    dataset: ["sources", "country", "plan", "stages", "publish", "execute", "tables"],
  },
  "pipeline/tools": {
    sign: [],
    upload: [],
    pmtiles: [],
    diff: [],
    verify: ["sign"],
    changes: ["sign"],
    doctor: ["sign"],
  },
  "pipeline/cli": { map: [], package: [], ".": "all" },
};

/** Folders that load into the page. They may import only these projects, fewer than their own project. */
const LIGHT: Readonly<Record<string, readonly string[]>> = {
  "web/hosts/browser/parts": [],
  "web/hosts/browser/hours": ["data/hours"],
  "web/hosts/browser/basemap": ["data/format", "web/engine", "web/tiles"],
  "web/hosts/browser/protocol": [
    "data/format",
    "data/hours",
    "data/positions",
    "web/engine",
    "web/search",
    "web/geocode",
    "web/changes",
  ],
};

const BROWSER_HOST = "web/hosts/browser";
/** Folders of the browser host that other projects may import. The rest runs in workers. */
const OF_BROWSER_HOST: Readonly<Record<string, readonly string[]>> = {
  "web/app": ["parts", "protocol"],
  "web/map": ["basemap", "protocol"],
  "web/site": ["basemap"],
  "web/embed": ["hours", "parts", "pin", "protocol", "workers"],
  "web/embed/node": ["pin"],
  "pipeline/cli": ["saved-areas"],
};

const isUnder = (path: string, folder: string) => path.startsWith(`${folder}/`);
const under = (folders: readonly string[], path: string) => folders.find((folder) => isUnder(path, folder));
const projectOf = (path: string) => under(PROJECTS, path);
/** The folder of its project's table that contains the file; `.` if none does. */
const folderOf = (path: string) => {
  const project = projectOf(path) ?? "";
  const names = Object.keys(FOLDERS[project] ?? {}).sort((a, b) => b.length - a.length);
  return names.find((name) => isUnder(path, `${project}/${name}`)) ?? ".";
};
const moduleOf = (path: string) => join(projectOf(path) ?? "", folderOf(path));
const MODULES = Object.entries(FOLDERS).flatMap(([project, folders]) => foldersIn(project, Object.keys(folders)));

interface Package {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function packageOf(folder: string): Package {
  return JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Package;
}

/** Libraries and projects by name. A project is a path, such as `file:../format`. */
function dependenciesOf({ dependencies, devDependencies, optionalDependencies }: Package): [string, string][] {
  return [dependencies, devDependencies, optionalDependencies].flatMap((listed) => Object.entries(listed ?? {}));
}

/** Files that other projects may import, from `exports`. */
function entriesOf(project: string): string[] {
  return Object.values(packageOf(project).exports ?? {}).map((entry) => join(project, entry));
}

function projectsOf(path: string): string[] {
  const { references = [] } = JSON.parse(readFileSync(join(ROOT, path), "utf8")) as {
    references?: readonly { readonly path: string }[];
  };
  return references.map((reference) => join(dirname(path), reference.path));
}

async function sourceFiles(): Promise<string[]> {
  const found = await Promise.all(
    ["data", "web", "pipeline", "e2e/conformance"].map(async (folder) => {
      const names = await readdir(join(ROOT, folder), { recursive: true });
      return names.map((name) => join(folder, name));
    }),
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

test("a project imports the projects that tsconfig.json and package.json list, and no others", () => {
  expect(files.length).toBeGreaterThan(150);
  expect(files.filter((file) => !projectOf(file) && !isUnder(file, "e2e"))).toEqual([]);
  for (const project of PROJECTS) {
    const used = ownImports.filter(({ from }) => projectOf(from) === project).map(({ target }) => projectOf(target));
    const others = new Set(used.filter((other) => other !== project));
    expect([...others].sort(), project).toEqual(projectsOf(`${project}/tsconfig.json`).sort());
    const listed = dependenciesOf(packageOf(project)).filter(([, version]) => version.startsWith("file:"));
    const paths = listed.map(([, version]) => join(project, version.replace("file:", "")));
    expect(paths.sort(), project).toEqual([...others].sort());
    expect(listed.map(([name]) => name).sort()).toEqual(paths.map((path) => packageOf(path).name).sort());
    // TypeScript would write the names of projects among `dependencies` into the published declarations.
    const { dependencies = {} } = packageOf(project);
    expect(Object.values(dependencies).filter((version) => version.startsWith("file:"))).toEqual([]);
  }
  // Checks other implementations of the interface too.
  const conforming = ownImports.filter(({ from }) => isUnder(from, "e2e"));
  expect(conforming.filter(({ target }) => !isUnder(target, "e2e/conformance"))).toEqual([]);
});

test("other projects import the entries of `exports`, and each entry has an importer", () => {
  const across = ownImports.filter(({ from, target }) => projectOf(target) && projectOf(from) !== projectOf(target));
  const isEntry = ({ target }: Import) =>
    entriesOf(projectOf(target) ?? "").some((entry) =>
      entry.endsWith("/*") ? isUnder(target, dirname(entry)) : target === entry,
    );
  expect(across.filter((found) => !isEntry(found)).map(shown)).toEqual([]);
  const imported = new Set(across.map(({ target }) => target));
  const unused = PROJECTS.filter((project) => project !== PUBLISHED).flatMap(entriesOf);
  expect(unused.filter((entry) => !entry.endsWith("/*") && !imported.has(entry))).toEqual([]);
});

test("data/format uses the small interface of zod", () => {
  const wrong = imports.filter(({ from, target }) => isUnder(from, "data/format") && target === "zod");
  expect(wrong.map(shown)).toEqual([]);
});

test("folders of a project import only those that the table allows", () => {
  const isAllowed = ({ from, target }: Import) => {
    const table = FOLDERS[projectOf(from) ?? ""];
    const allowed = table?.[folderOf(from)];
    return !table || allowed === "all" || [folderOf(from), ...(allowed ?? [])].includes(folderOf(target));
  };
  const inside = ownImports.filter(({ from, target }) => projectOf(from) === projectOf(target));
  expect(inside.filter((found) => !isAllowed(found)).map(shown)).toEqual([]);
  const outside = files.filter((file) => FOLDERS[projectOf(file) ?? ""]?.[folderOf(file)] === undefined);
  expect(outside.filter((file) => FOLDERS[projectOf(file) ?? ""] && !file.endsWith(".d.ts"))).toEqual([]);
  expect(MODULES.filter((module) => !existsSync(join(ROOT, module)))).toEqual([]);
});

test("the page loads no more of the hosts than it needs", () => {
  const isWrong = ({ from, target }: Import) => {
    const [project = "", other = ""] = [projectOf(from), projectOf(target)];
    if (project === other) return false;
    const light = LIGHT[moduleOf(from)];
    const isHeavy = light !== undefined && !light.includes(other);
    return isHeavy || (other === BROWSER_HOST && !OF_BROWSER_HOST[project]?.includes(folderOf(target)));
  };
  expect(ownImports.filter(isWrong).map(shown)).toEqual([]);
});

test("inside a project, a folder with an index.ts is imported through it", () => {
  const isWrong = ({ from, target }: Import) => {
    if (projectOf(from) !== projectOf(target)) return false;
    // the table above says who may import a module that is inside another one
    const outside = foldersAbove(target).filter((folder) => !isUnder(moduleOf(target), folder));
    const outer = outside.find((folder) => !isUnder(from, folder) && hasIndex(folder));
    const isModule = MODULES.some((module) => target === `${module}/index.ts`);
    return outer !== undefined && target !== `${outer}/index.ts` && !isModule;
  };
  expect(ownImports.filter(isWrong).map(shown)).toEqual([]);
  const byOwnIndex = ownImports.filter(
    ({ from, target }) =>
      moduleOf(from) === moduleOf(target) && /\/index\.ts$/.test(target) && isUnder(from, dirname(target)),
  );
  expect(byOwnIndex.map(shown)).toEqual([]);
});

test("folders and files have no circular imports", () => {
  const folders = Object.entries(FOLDERS).flatMap(([project, table]) =>
    Object.entries(table).flatMap(([from, targets]) =>
      targets === "all" ? [] : foldersIn(project, targets).map((target) => ({ from: join(project, from), target })),
    ),
  );
  expect(circleIn(folders)).toEqual([]);
  expect(circleIn(ownImports)).toEqual([]);
});

function shown({ from, target }: Import): string {
  return `${from} imports ${target}`;
}

function foldersIn(folder: string, names: readonly string[]): string[] {
  return names.map((name) => `${folder}/${name}`);
}

/** From the outermost to the innermost. */
function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function hasIndex(folder: string): boolean {
  return existsSync(join(ROOT, folder, "index.ts"));
}

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

test("the repository has five folders, besides hidden and ignored ones", async () => {
  const ignored = new Set((await readFile(join(ROOT, ".gitignore"), "utf8")).split("\n"));
  const entries = await readdir(ROOT, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && !ignored.has(`${entry.name}/`));
  const shown = folders.map(({ name }) => name).filter((name) => !name.startsWith("."));
  expect(shown.sort()).toEqual(["data", "docs", "e2e", "pipeline", "web"]);
  expect(entries.map(({ name }) => name).filter((name) => name.endsWith(".tgz"))).toEqual([]);
});

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

test("a library has one exact version in all projects", () => {
  const versions = new Map<string, Set<string>>();
  for (const folder of WORKSPACES.concat(".")) {
    const about = packageOf(folder);
    const overrides = Object.values(about.overrides ?? {}).flatMap((listed) => Object.entries(listed));
    for (const [name, version] of [...dependenciesOf(about), ...overrides]) {
      if (version.startsWith("file:")) continue;
      expect(version, name).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+/);
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
    }
  }
  const several = [...versions].filter(([, found]) => found.size > 1);
  // The docs site and generators of clients need an older TypeScript.
  expect(several.map(([name]) => name)).toEqual(["typescript"]);
});

test("the lock file has all workspaces, the packages of every platform, and no registry host", async () => {
  const text = await readFile(join(ROOT, "package-lock.json"), "utf8");
  const lock = JSON.parse(text);
  // Otherwise `npm ci` fails: run `node .ci/fill-lock.mjs`.
  expect(missingPackages(lock)).toEqual({});
  const resolved = [...text.matchAll(/"resolved": "([^"]*)"/g)].map(([, place]) => place);
  expect(resolved.sort()).toEqual(WORKSPACES);
  // A second copy of a library would be in the page too.
  expect(Object.keys(lock.packages).filter((path) => /^(data|web|pipeline)\/.*node_modules\//.test(path))).toEqual([]);
});
