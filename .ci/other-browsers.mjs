// Firefox and WebKitGTK, in which `e2e/browsers` walks through the page: those that are there, in CI Debian's.
import { existsSync, readdirSync } from "node:fs";
import { installDebianPackages, isExecutable } from "./chromium.mjs";

const FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];
const DRIVER = "/usr/bin/WebKitWebDriver";
const XVFB = "/usr/bin/Xvfb";

/** Programs of both, and the names of those that are not here: `firefox`, `webkit`. */
export function findOtherBrowsers() {
  const hasDisplay = isExecutable(XVFB);
  const firefox = FIREFOX.find(isExecutable);
  const miniBrowser = miniBrowsers().find(isExecutable);
  const webkit = isExecutable(DRIVER) && miniBrowser ? { driver: DRIVER, browser: miniBrowser } : undefined;
  const here = hasDisplay ? { ...(firefox ? { firefox } : {}), ...(webkit ? { webkit } : {}) } : {};
  return { ...here, leftOut: ["firefox", "webkit"].filter((name) => !(name in here)) };
}

/** The same, with Debian's installed for what is missing. Throws when one is missing still. */
export function ensureOtherBrowsers() {
  const { leftOut } = findOtherBrowsers();
  const packages = [
    ...(isExecutable(XVFB) ? [] : ["xvfb"]),
    ...(FIREFOX.some(isExecutable) ? [] : ["firefox-esr"]),
    ...(leftOut.includes("webkit") ? ["webkit2gtk-driver"] : []),
  ];
  if (packages.length > 0) installDebianPackages(packages);
  const found = findOtherBrowsers();
  if (found.leftOut.length > 0) throw new Error(`no ${found.leftOut.join(" and ")} after installing ${packages}`);
  return found;
}

function miniBrowsers() {
  const libraries = "/usr/lib";
  if (!existsSync(libraries)) return [];
  return readdirSync(libraries).flatMap((machine) =>
    ["4.1", "4.0"].map((version) => `${libraries}/${machine}/webkit2gtk-${version}/MiniBrowser`),
  );
}
