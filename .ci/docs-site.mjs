// Builds the docs site after its packages are installed: `npm run docs:site`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { installPackages } from "./setup.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => JSON.parse(readFileSync(`${root}${path}`, "utf8"));

/** Whether the packages are installed in the wanted versions, also by another way than `.ci/setup.mjs`. */
function isInstalled() {
  const { vitepress, typedoc } = read("docs/.vitepress/package.json").devDependencies;
  try {
    return (
      read("node_modules/vitepress/package.json").version === vitepress &&
      read("docs/node_modules/typedoc/package.json").version === typedoc
    );
  } catch {
    return false;
  }
}

if (!isInstalled()) installPackages("docs");
const args = ["--import", "tsx", "docs/.vitepress/build.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;
