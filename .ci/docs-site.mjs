// Builds the docs site after its packages are installed: `npm run docs:site`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { installPackages } from "./setup.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => JSON.parse(readFileSync(`${root}${path}`, "utf8"));

/** Whether VitePress is installed in the wanted version, also by another way than `.ci/setup.mjs`. */
function isInstalled() {
  try {
    return (
      read("node_modules/vitepress/package.json").version ===
      read("docs/.vitepress/package.json").devDependencies.vitepress
    );
  } catch {
    return false;
  }
}

if (!isInstalled()) installPackages("docs");
const args = ["--import", "tsx", "docs/.vitepress/build.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 1;
