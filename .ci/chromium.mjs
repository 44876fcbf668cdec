// The Chromium of the tests: one that is there, else one that is installed.
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Path of a Chromium on this machine: CHROMIUM_PATH, else a usual place, else Playwright's own; undefined when there is none. */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM_PATH is ${named}, which cannot be run`);
  }
  const { chromium } = await import("@playwright/test");
  return [...PLACES, chromium.executablePath()].find(isExecutable);
}

/** Path of a Chromium, installed when there is none. Throws with what was tried. */
export async function ensureChromium() {
  const found = await findChromium();
  if (found) return found;
  const tried = [];
  for (const commands of installations()) {
    try {
      for (const [command, ...args] of commands) run(command, args);
      const installed = await findChromium();
      if (installed) return installed;
      tried.push(`${commands.at(-1).join(" ")}: done, but no Chromium is there`);
    } catch (error) {
      tried.push(`${commands.at(-1).join(" ")}: ${error.message.split("\n")[0]}`);
    }
  }
  throw new Error(
    `no Chromium for the tests: install one, or set CHROMIUM_PATH to it. Tried:\n${tried.map((line) => `  ${line}`).join("\n")}`,
  );
}

function installations() {
  const playwright = [["npx", "--no-install", "playwright", "install", "chromium"]];
  return isExecutable("/usr/bin/apt-get") ? [aptCommands(["chromium"]), playwright] : [playwright];
}

/** Installs packages of Debian's. Throws where that cannot be. */
export function installDebianPackages(names) {
  for (const [command, ...args] of aptCommands(names)) run(command, args);
}

function aptCommands(names) {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  return [
    [...sudo, "apt-get", "update"],
    [...sudo, "apt-get", "install", "-y", "--no-install-recommends", ...names],
  ];
}

function run(command, args) {
  console.error(`cairn: ${[command, ...args].join(" ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execFileSync(command, args, { stdio: ["ignore", 2, 2], env });
}

/** Whether the file is there and may be run. */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
