// Adds to package-lock.json the platform packages that a registry mirror did not carry when it was written: `npm ci` wants
// every optional dependency named, also those for other systems. Run it after a change of dependencies.
import { readFileSync, writeFileSync } from "node:fs";

const OS = { windows: "win32", ohos: "openharmony" };
const SYSTEMS = ["darwin", "linux", "win32", "android", "freebsd", "openbsd", "netbsd", "sunos", "aix", "openharmony"];
const CPU = { 64: "x64", 32: "ia32", ppc64le: "ppc64" };
const PROCESSORS = [
  "arm64",
  "x64",
  "ia32",
  "arm",
  "ppc64",
  "riscv64",
  "s390x",
  "loong64",
  "mips64el",
  "mipsel",
  "wasm32",
];

/** Optional dependencies that the lock file does not have, with the entries they should have. */
export function missingPackages(lock) {
  const missing = {};
  for (const [at, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      if (lock.packages[path] || lock.packages[`${at}/${path}`] || !/^\d/.test(version)) continue;
      const words = name.replace("@", "").split(/[-/]/).reverse();
      const os = words.map((word) => OS[word] ?? word).find((word) => SYSTEMS.includes(word));
      const cpu = words.map((word) => CPU[word] ?? word).find((word) => PROCESSORS.includes(word));
      missing[path] = {
        version,
        ...(cpu ? { cpu: [cpu] } : {}),
        ...(entry.dev ? { dev: true } : {}),
        optional: true,
        ...(os ? { os: [os] } : {}),
      };
    }
  }
  return missing;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const packages = Object.entries({ ...lock.packages, ...missingPackages(lock) });
  lock.packages = Object.fromEntries(packages.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
}
