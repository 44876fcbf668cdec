/**
 * Files that are made in the build and shipped under hashed names, such as WebAssembly modules and the world. The bundler does
 * not handle them: page worker and service worker are built separately and must use the same names. @module
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import type { Connect, Plugin } from "vite";

/** How to make a file to ship. It is made again only when its inputs or its version change. */
export interface Recipe {
  /** Name of its export in `virtual:shipped-files`. */
  readonly key: string;
  /** File name with `[hash]`, relative to the folder of the page. */
  readonly name: string;
  readonly inputs: readonly string[];
  /** Increase this when `make` changes. */
  readonly version: number;
  /** Whether the start page fetches the file before its scripts run. */
  readonly isPreloaded?: boolean;
  make(inputs: readonly Uint8Array[]): Promise<Uint8Array>;
}

interface ShippedFile {
  readonly key: string;
  readonly path: string;
  readonly bytes: Uint8Array;
}

const VIRTUAL = "virtual:shipped-files";
const CACHE = ".cairn/shipped";
const HASH_CHARS = 10;
const made = new Map<Recipe, Promise<ShippedFile>>();

/**
 * Returns a plugin that resolves `virtual:shipped-files`, and `virtual:shipped-files/<key>` for the content of a file. Every
 * build that imports these needs it.
 */
export function shippedFiles(recipes: readonly Recipe[]): Plugin {
  return {
    name: "cairn:shipped-files",
    resolveId: (id) => (id === VIRTUAL || id.startsWith(`${VIRTUAL}/`) ? `\0${id}` : undefined),
    async load(id) {
      const wanted = id.startsWith(`\0${VIRTUAL}/`) ? id.slice(`\0${VIRTUAL}/`.length) : undefined;
      if (wanted !== undefined) return contentModule(recipes, wanted);
      if (id !== `\0${VIRTUAL}`) return undefined;
      const files = await Promise.all(recipes.map(makeOnce));
      return files
        .map(({ key, path, bytes }) => `export const ${key} = ${JSON.stringify({ path, bytes: bytes.byteLength })};`)
        .join("\n");
    },
  };
}

/** Returns a script that exports the file as text: JSON unchanged, other files as base64. */
async function contentModule(recipes: readonly Recipe[], key: string): Promise<string> {
  const recipe = recipes.find((known) => known.key === key);
  if (!recipe)
    throw new Error(`no shipped file ${key}, expected one of ${recipes.map((known) => known.key).join(", ")}`);
  const { path, bytes } = await makeOnce(recipe);
  const text = Buffer.from(bytes).toString(path.endsWith(".json") ? "utf8" : "base64");
  return `export default ${JSON.stringify(text)};`;
}

/** Returns a plugin that writes the files into the build of the page, and serves them in development. */
export function emitShippedFiles(recipes: readonly Recipe[]): Plugin {
  return {
    name: "cairn:emit-shipped-files",
    async generateBundle() {
      for (const recipe of recipes) {
        const { path, bytes } = await makeOnce(recipe);
        this.emitFile({ type: "asset", fileName: path, source: bytes });
      }
    },
    transformIndexHtml: {
      order: "post",
      async handler(_html, { path: page }) {
        if (page !== "/index.html") return [];
        const files = await Promise.all(recipes.filter(({ isPreloaded }) => isPreloaded).map(makeOnce));
        return files.map(({ path }) => ({
          tag: "link",
          attrs: { rel: "preload", as: "fetch", crossorigin: true, href: `./${path}` },
          injectTo: "head" as const,
        }));
      },
    },
    configureServer(server) {
      const serve: Connect.NextHandleFunction = (request, response, next) => {
        void Promise.all(recipes.map(makeOnce)).then((files) => {
          const file = files.find(({ path }) => request.url === `/${path}`);
          if (file) response.end(file.bytes);
          else next();
        }, next);
      };
      server.middlewares.use(serve);
    },
  };
}

function makeOnce(recipe: Recipe): Promise<ShippedFile> {
  const known = made.get(recipe);
  if (known) return known;
  const making = make(recipe);
  made.set(recipe, making);
  making.catch(() => made.delete(recipe));
  return making;
}

async function make(recipe: Recipe): Promise<ShippedFile> {
  const inputs = await Promise.all(recipe.inputs.map((path) => readFile(path)));
  const key = sha256(Buffer.concat([Buffer.from(`${recipe.name} ${recipe.version}\n`), ...inputs]));
  const cached = `${CACHE}/${key}`;
  const bytes = await readFile(cached).catch(async () => {
    const fresh = await recipe.make(inputs);
    await mkdir(CACHE, { recursive: true });
    // the final name marks the file as complete for later builds, and two builds may run at once
    const part = `${cached}.${randomUUID()}.part`;
    await writeFile(part, fresh, { flush: true });
    await rename(part, cached);
    return fresh;
  });
  return { key: recipe.key, path: recipe.name.replace("[hash]", sha256(bytes).slice(0, HASH_CHARS)), bytes };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
