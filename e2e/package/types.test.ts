import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPackage, type PackedPackage, packPackage } from "./packed-package.ts";

let packed: PackedPackage;
let scratch: string;

beforeAll(async () => {
  packed = await packPackage();
  scratch = await realpath(await mkdtemp(join(tmpdir(), "cairn-types-")));
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

const BROWSER = `
import { cairnProtocol, type Feature, maplibreGeocoder, open, register, RequestError, type SearchPage } from "cairn-map";
import "cairn-map/map";
import type { CairnMapElement } from "cairn-map/map";
const cairn = await open(new URL("dataset/", location.href), { cacheBytes: 1e6 });
const page: SearchPage = await cairn.search("places", { lat: 43.73, lng: 7.42, radius: 300 });
for await (const { id, geometry } of cairn.buildings({ country: "MC" })) console.log(id, geometry.type, page.count);
const label = ({ properties }: Feature) => [properties.names?.primary.trim(), properties.ext_distance?.toFixed(0)];
for await (const place of cairn.places({ country: "MC" })) console.log(label(place), place.properties.confidence);
const [first] = await cairn.suggest({ text: "hotel" });
const { address, divisions } = await cairn.reverse({ lat: 43.73, lng: 7.42 });
const { attribution } = await cairn.describe();
console.log(first?.lng.toFixed(2), address?.properties.names, divisions[0]?.geometry, attribution[0]?.text.trim());
console.log(cairnProtocol(cairn), maplibreGeocoder(cairn), (await register()).base, new RequestError("no", 400).status);
const map: CairnMapElement = document.createElement("cairn-map");
map.addEventListener("cairn-found", ({ detail }) => console.log(detail.count.toFixed(), detail.features[0]?.id));
`;
const MISTAKES = [
  'await cairn.search("shops", { Price_min: null });',
  'await cairn.search("places", { latitude: 43.73 });',
  "const count: string = page.count;",
  "const height: number = page.features[0]?.properties.height;",
];

const NODE = `
import { type Cairn, open, RequestError } from "cairn-map";
import worker from "cairn-map/edge";
const cairn: Cairn = await open("folder", { signal: AbortSignal.timeout(1000) });
const response: Response = await cairn.fetch("/places?country=MC");
console.log(response.status, RequestError, await worker.fetch(new Request("http://localhost/"), {}));
`;

const jsx = (library: string) => `
import "cairn-map/${library}";
import type { CairnMapEvents } from "cairn-map/${library}";
const found = ({ detail }: CairnMapEvents["cairn-found"]) => console.log(detail.count.toFixed());
export const App = () => (
  <cairn-map src="https://maps.example/dataset/" lat={43.73} lng="7.42" path="buildings" class="wide" oncairn-found={found} />
);
`;
const JSX_MISTAKES = [
  "export const a = <cairn-map path={7} />;",
  'export const b = <cairn-map latitude="1" />;',
  "export const c = <cairn-map oncairn-found={(event: MouseEvent) => event.button} />;",
];

interface Consumer {
  readonly files: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
  /** Packages by installed name. */
  readonly packages?: Readonly<Record<string, string>>;
}

const DOM = { lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"] };
const REACT = { jsx: "react-jsx" };
const PREACT = { jsx: "react-jsx", jsxImportSource: "preact" };

let consumers = 0;

/** The compiler's output for a strict program with the tarball installed. All declarations are checked. */
async function compile({ files, options, packages }: Consumer): Promise<string> {
  consumers += 1;
  const folder = join(scratch, String(consumers));
  await mkdir(folder);
  await installPackage(folder, packed, packages);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: "es2023",
    types: [],
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    ...options,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const run = promisify(execFile)(resolve("node_modules/.bin/tsc"), ["-p", folder, "--pretty", "false"]);
  return run.then(
    () => "",
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
}

const RESOLUTIONS = [
  { module: "esnext", moduleResolution: "bundler" },
  { module: "node16", moduleResolution: "node16" },
];

test.each(RESOLUTIONS)("a strict program compiles with the package alone: $moduleResolution", async (resolution) => {
  expect(await compile({ files: { "browser.ts": BROWSER }, options: { ...resolution, ...DOM } })).toBe("");
  const node = { "@types/node": "@types/node", "undici-types": "undici-types" };
  expect(
    await compile({
      files: { "node.ts": NODE },
      options: { ...resolution, lib: ["es2023"], types: ["node"] },
      packages: node,
    }),
  ).toBe("");
});

test.each([
  ["react", REACT, { "@types/react": "@types/react", csstype: "csstype" }],
  ["react", REACT, { "@types/react": "react-types-18" }],
  ["preact", PREACT, { preact: "preact" }],
] as const)("JSX of %s has types for the element and its attributes: %j %j", async (library, options, packages) => {
  const found = await compile({
    files: { "app.tsx": jsx(library), "mistakes.tsx": withMistakes(`import "cairn-map/${library}";`, JSX_MISTAKES) },
    options: { module: "esnext", moduleResolution: "bundler", ...DOM, ...options },
    packages,
  });
  expect(errorLines(found)).toEqual(JSX_MISTAKES.map((_, index) => `mistakes.tsx:${index + 2}`));
});

test("type errors are found", async () => {
  const program = BROWSER.trim().replaceAll("\n", " ");
  const found = await compile({
    files: { "mistakes.ts": withMistakes(program, MISTAKES) },
    options: { module: "esnext", moduleResolution: "bundler", ...DOM },
  });
  expect(errorLines(found)).toEqual(MISTAKES.map((_, index) => `mistakes.ts:${index + 2}`));
});

/** The program in the first line, then one mistake per line. */
function withMistakes(program: string, mistakes: readonly string[]): string {
  return [program, ...mistakes].join("\n");
}

/** Files and lines with errors. */
function errorLines(output: string): string[] {
  const lines = Array.from(output.matchAll(/([\w.-]+)\((\d+),\d+\): error TS/g), ([, file, line]) => `${file}:${line}`);
  return [...new Set(lines)];
}
