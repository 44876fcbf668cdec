/**
 * Bundles what a tab or a process runs into one script, and runs it with other globals for each.
 * @module
 */
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { build } from "vite";
import type { openService, openTab } from "./tab-program.ts";

export interface Program {
  readonly openTab: typeof openTab;
  readonly openService: typeof openService;
}

/** A change to the source. A defect that the simulator must find consists of one or more. */
export interface Change {
  /** End of the module's path. */
  readonly module: string;
  /** Text that the module has once. */
  readonly from: string;
  readonly to: string;
}

export interface Globals {
  readonly [name: string]: unknown;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The Parquet reader of the browser is a file of the site. A tab uses that of Node. */
const WASM = "/web/hosts/browser/wasm/index.ts";
const NO_WASM = `
export const loadParquetReader = async () => decodeParquet;
export const startParquetReader = async () => decodeParquet;
export const withWasm = () => { throw new Error("a simulated tab starts no WebAssembly"); };
`;

/** The program of a tab. */
const TAB: Script = {
  module: here("tab-program.ts"),
  target: "webworker",
  alias: [
    { find: /^virtual:shipped-files$/, replacement: here("../../web/hosts/browser/testing/shipped-files.ts") },
    { find: /^virtual:shipped-files\/.*/, replacement: here("../../web/hosts/browser/testing/shipped-file.ts") },
  ],
  prepare: (code, path) => (path.endsWith(WASM) ? NO_WASM : code),
};

export interface Script {
  readonly module: string;
  readonly target: "webworker" | "node";
  readonly alias?: { find: RegExp; replacement: string }[];
  readonly external?: string[];
  readonly define?: Record<string, string>;
  /** Returns the code of a module as the simulator runs it. */
  readonly prepare: (code: string, path: string) => string;
}

/** Returns a function that runs the program of a tab with these globals. Throws unless each change matches its module. */
export function loadProgram(
  names: readonly string[],
  changes: readonly Change[] = [],
): Promise<(globals: Globals) => Program> {
  return loadScript<Program>(TAB, names, changes);
}

/** Bundles a module. Returns a function that runs it with these globals, and returns its exports. */
export async function loadScript<Exports>(
  { module, target, alias = [], external = [], define = {}, prepare }: Script,
  names: readonly string[],
  changes: readonly Change[],
): Promise<(globals: Globals) => Exports> {
  const left = new Set(changes);
  const built = await build({
    configFile: false,
    logLevel: "silent",
    resolve: { alias },
    define,
    ssr: { noExternal: true, external, target },
    plugins: [
      {
        name: "simulator",
        enforce: "pre",
        transform(code, id) {
          const path = id.replaceAll("\\", "/");
          let changed = prepare(code, path);
          for (const change of changes) {
            if (!path.endsWith(change.module)) continue;
            if (changed.split(change.from).length !== 2)
              throw new Error(`${change.module} has not once: ${change.from}`);
            changed = changed.replace(change.from, () => change.to);
            left.delete(change);
          }
          return changed === code ? undefined : changed;
        },
      },
    ],
    build: {
      write: false,
      minify: false,
      ssr: module,
      rolldownOptions: { output: { format: "cjs", codeSplitting: false } },
    },
  });
  for (const { module } of left) throw new Error(`the program has no module ${module}`);
  const [output] = [built].flat();
  const chunk = output && "output" in output ? output.output[0] : undefined;
  if (!chunk) throw new Error(`${module} was not built`);
  const run = compileFunction(chunk.code, ["exports", ...names], { filename: `simulated-${target}.js` });
  return (globals) => {
    const exports = {};
    run(exports, ...names.map((name) => globals[name]));
    return exports as Exports;
  };
}
