// Set-up before `npm start` and `npm test`: packages from the lock file, and with --browser a Chromium.
// --packages says how many packages: `main` is what `npm start` needs, `test` adds what `npm test` needs, `docs` adds the docs
// site, `all` adds the deep tests and the benchmarks. A larger set that is already installed stays.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`cairn: Node ${process.versions.node} is too old. Install Node 20.19 or newer.`);
  process.exit(1);
}

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.cairn-lock`;
/** A folder selects the workspaces directly inside it. */
const workspaces = (...names) => names.map((name) => `--workspace=${name}`);
const PROJECTS = ["--include-workspace-root", ...workspaces("data", "pipeline", "web", "web/embed", "web/hosts")];
const SETS = {
  main: [...PROJECTS, "--omit=dev"],
  test: PROJECTS,
  docs: [...PROJECTS, ...workspaces("docs/.vitepress")],
  all: [],
};
const names = Object.keys(SETS);

/** Installs a set of packages unless it, or a larger one, is installed from this lock file. */
export function installPackages(set) {
  if (!(set in SETS)) throw new Error(`--packages is ${set}, expected one of ${names.join(", ")}`);
  const lock = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex");
  const [installed, installedLock] = existsSync(stamp) ? readFileSync(stamp, "utf8").split(" ") : [];
  if (installedLock === lock && names.indexOf(installed) >= names.indexOf(set)) return;
  const start = performance.now();
  console.error("cairn: installing packages from package-lock.json");
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  execFileSync(command, [...args, "ci", ...SETS[set], "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  writeFileSync(stamp, `${set} ${lock}`);
  console.error(`cairn: packages installed in ${Math.round((performance.now() - start) / 1000)} s`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = (await import("node:util")).parseArgs({
    options: { packages: { type: "string", default: "main" }, browser: { type: "boolean" } },
  });
  installPackages(values.packages);
  if (values.browser) {
    const { ensureChromium } = await import("./chromium.mjs");
    console.error(`cairn: browser for the tests: ${await ensureChromium()}`);
  }
}
