import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "vite";
import { expect, test } from "vitest";
import { embedChunks } from "./embed-chunks.ts";

test("what only other programs import is told from what the page imports, at once, later or in a worker", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-chunks-"));
  try {
    const files = {
      "page.js": 'import { both } from "./both.js"; console.log(both); import("./later.js");',
      "cairn.js":
        'import { both } from "./both.js"; export { both }; export const load = () => [import("./only.js"), import("./twice.js")];',
      "both.js": 'export const both = "of both";',
      "later.js": 'console.log("later");',
      "twice.js": 'export const twice = "of a worker too";',
      "only.js": 'export const only = "of others";',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    // built apart, with a chunk of the same content
    const worker: Plugin = {
      name: "worker",
      generateBundle(_, bundle) {
        const twice = Object.keys(bundle).find((name) => name.includes("twice"));
        const source = `import "./${twice?.replace("assets/", "")}";`;
        this.emitFile({ type: "asset", fileName: "assets/worker-1.js", source });
      },
    };
    const chunks = embedChunks((entry) => entry === "cairn");
    await build({
      root: folder,
      configFile: false,
      logLevel: "silent",
      plugins: [chunks.plugin, worker],
      build: {
        rolldownOptions: {
          input: { page: join(folder, "page.js"), cairn: join(folder, "cairn.js") },
          preserveEntrySignatures: "exports-only",
        },
      },
    });
    const made = (await readdir(join(folder, "dist/assets"))).map((name) => `assets/${name}`);
    const named = made.filter((file) => chunks.has(file)).map((file) => file.replace(/-[\w-]{8}\.js$/, ""));
    expect(named.sort()).toEqual(["assets/cairn", "assets/only"]);
    expect(made.length).toBeGreaterThan(4);
  } finally {
    await rm(folder, { recursive: true });
  }
});
