/**
 * Bundles what a tab runs into one script, and runs it with other globals for each tab.
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

/** Returns a function that runs the script with these globals. Throws unless each change matches its module. */
export async function loadProgram(
  names: readonly string[],
  changes: readonly Change[] = [],
): Promise<(globals: Globals) => Program> {
  const left = new Set(changes);
  const built = await build({
    configFile: false,
    logLevel: "silent",
    resolve: {
      alias: [
        { find: /^virtual:shipped-files$/, replacement: here("../../web/hosts/browser/testing/shipped-files.ts") },
        { find: /^virtual:shipped-files\/.*/, replacement: here("../../web/hosts/browser/testing/shipped-file.ts") },
      ],
    },
    ssr: { noExternal: true, target: "webworker" },
    plugins: [
      {
        name: "simulator",
        enforce: "pre",
        transform(code, id) {
          const path = id.replaceAll("\\", "/");
          let changed = path.endsWith(WASM) ? NO_WASM : code;
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
      ssr: here("tab-program.ts"),
      rolldownOptions: { output: { format: "cjs", codeSplitting: false } },
    },
  });
  for (const { module } of left) throw new Error(`a tab runs no module ${module}`);
  const [output] = [built].flat();
  const chunk = output && "output" in output ? output.output[0] : undefined;
  if (!chunk) throw new Error("the program of a tab was not built");
  const run = compileFunction(chunk.code, ["exports", ...names], { filename: "simulated-tab.js" });
  return (globals) => {
    const exports = {};
    run(exports, ...names.map((name) => globals[name]));
    return exports as Program;
  };
}
