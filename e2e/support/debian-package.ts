/**
 * Programs that tests and benchmarks need beside Node.
 * @module
 */
import { execFileSync } from "node:child_process";

const IS_ROOT = process.getuid?.() === 0;

/** Installs a package of Debian's. Throws where that cannot be. */
export function installDebianPackage(name: string): void {
  const sudo = IS_ROOT ? [] : ["sudo", "-n"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const steps = [
    ["update", "-qq"],
    ["install", "-y", "--no-install-recommends", name],
  ];
  for (const step of steps) {
    const [program = "", ...rest] = [...sudo, "apt-get", ...step];
    execFileSync(program, rest, { stdio: ["ignore", "ignore", "inherit"], env });
  }
}
