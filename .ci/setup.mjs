// Set-up before `npm start` and `npm test`: dependencies from the lock file when missing or stale; with --browser, a Chromium,
// and where CAIRN_ALL_BROWSERS is set Firefox and WebKit too.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`cairn: Node ${process.versions.node} found, 20.19 or newer is needed`);
  process.exit(1);
}

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = `${root}node_modules/.cairn-lock`;
const lock = createHash("sha256")
  .update(readFileSync(`${root}package-lock.json`))
  .digest("hex");
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
  console.error("cairn: installing dependencies from package-lock.json");
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  execFileSync(command, [...args, "ci", "--no-audit", "--no-fund"], { cwd: root, stdio: ["ignore", 2, 2] });
  writeFileSync(stamp, lock);
}

if (process.argv.includes("--browser")) {
  const { ensureChromium } = await import("./chromium.mjs");
  console.error(`cairn: browser for the tests: ${await ensureChromium()}`);
  const { ensureOtherBrowsers } = await import("./other-browsers.mjs");
  if (process.env.CAIRN_ALL_BROWSERS) ensureOtherBrowsers();
}
