/**
 * Installs programs that tests and benchmarks need.
 * @module
 */
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IS_ROOT = process.getuid?.() === 0;

/** apt-get does not run twice in parallel. `local-cluster.sh` uses the same lock. */
const LOCK = join(tmpdir(), "cairn-apt.lock");

/** Installs a Debian package. Throws if that fails. */
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
