/**
 * The API reference of the site, from the types and comments of the public modules.
 * @module
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Below `docs/`. Git ignores it. */
const FOLDER = "docs/reference/api";

/** Public modules by the name of their page. `made` is the page as the generator names it. */
const MODULES: Readonly<Record<string, { readonly entry: string; readonly made: string; readonly title: string }>> = {
  "cairn-reader": { entry: "web/reader/index.ts", made: "reader", title: "API: `cairn-reader`" },
  "cairn-map": { entry: "web/embed/index.ts", made: "embed", title: "API: `cairn-map`" },
  element: { entry: "web/embed/map/element.ts", made: "embed/map/element", title: "API: `cairn-map/map`" },
};

/** Links of the pages for the sidebar. */
export const API_PAGES = Object.entries(MODULES).map(([name, { title }]) => ({
  text: title.replaceAll("`", ""),
  link: `/reference/api/${name}`,
}));

/** Writes the pages. */
export async function writeApiPages(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "cairn-api-"));
  try {
    const entries = Object.values(MODULES).map(({ entry }) => resolve(root, entry));
    const config = join(scratch, "tsconfig.json");
    await writeFile(config, JSON.stringify(configOf([...entries, join(root, "web/hosts/browser/shipped-files.d.ts")])));
    const require = createRequire(import.meta.url);
    const typedoc = join(dirname(require.resolve("typedoc/package.json")), "bin/typedoc");
    const out = join(scratch, "out");
    const settings = ["--plugin", require.resolve("typedoc-plugin-markdown"), "--tsconfig", config, "--readme", "none"];
    const layout = [
      "--hidePageHeader",
      "--hideBreadcrumbs",
      "--disableSources",
      "--excludeExternals",
      "--outputFileStrategy",
      "modules",
    ];
    const points = entries.flatMap((entry) => ["--entryPoints", entry]);
    const quiet = ["--skipErrorChecking", "--logLevel", "Error"];
    await promisify(execFile)(
      process.execPath,
      [typedoc, ...settings, ...layout, ...points, "--basePath", join(root, "web"), "--out", out, ...quiet],
      { cwd: root },
    );
    await rm(join(root, FOLDER), { recursive: true, force: true });
    await mkdir(join(root, FOLDER), { recursive: true });
    for (const [name, { made, title }] of Object.entries(MODULES)) {
      const text = await readFile(join(out, `${made}.md`), "utf8");
      await writeFile(join(root, FOLDER, `${name}.md`), withLinks(text.replace(/^# .*/, `# ${title}`)));
    }
  } finally {
    await rm(scratch, { recursive: true });
  }
}

function configOf(files: readonly string[]): object {
  return {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      composite: false,
      noEmit: true,
      emitDeclarationOnly: false,
      rootDir: root,
      lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
      types: ["node", "vite/client"],
      typeRoots: [join(root, "node_modules/@types"), join(root, "node_modules")],
    },
    files,
  };
}

/** Links to the pages by their names in the site. */
function withLinks(text: string): string {
  return Object.entries(MODULES).reduce(
    (page, [name, { made }]) => page.replaceAll(new RegExp(`\\]\\((?:\\.\\./)*${made}\\.md`, "g"), `](${name}.md`),
    text,
  );
}
