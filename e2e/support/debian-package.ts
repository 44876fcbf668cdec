/**
 * Programs that tests and benchmarks need beside Node.
 * @module
 */
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IS_ROOT = process.getuid?.() === 0;

/** One at a time: apt-get refuses where another one runs. `local-cluster.sh` takes the same. */
const LOCK = join(tmpdir(), "cairn-apt.lock");

/** Installs a package of Debian's. Throws where that cannot be. */
export function installDebianPackage(name: string): void {
  const sudo = IS_ROOT ? [] : ["sudo", "-n"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const steps = [
    ["update", "-qq"],
    ["install", "-y", "--no-install-recommends", name],
  ];
  for (const step of steps) {
    execFileSync("flock", ["-o", LOCK, ...sudo, "apt-get", ...step], { stdio: ["ignore", "ignore", "inherit"], env });
  }
}
