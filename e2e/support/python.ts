/**
 * Python with packages from PyPI, in a virtual environment in the project's folder.
 * @module
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const ENVIRONMENTS = fileURLToPath(new URL("../../.cairn/python", import.meta.url));

/** Maximum time of an installation from the network. */
const INSTALL_MS = 5 * 60 * 1000;
const MOST_OUTPUT_BYTES = 1 << 30;

/** Runs Python with the arguments and returns its output. */
export type Python = (args: readonly string[]) => Promise<string>;

/** Returns Python with the packages in their own environment, or the reason why they are not available. */
export async function pythonWith(packages: readonly string[]): Promise<Python | string> {
  const environment = await environmentWith(packages);
  if (typeof environment === "string") return environment;
  const python = join(environment.programs, "python");
  return async (args) => (await run(python, args, { maxBuffer: MOST_OUTPUT_BYTES })).stdout;
}

/**
 * Returns the folder of the packages' programs, including Python, or the reason why they are not available. A package
 * may have a version, `==1.0`.
 */
export async function environmentWith(packages: readonly string[]): Promise<{ readonly programs: string } | string> {
  const environment = join(ENVIRONMENTS, packages.join("-"));
  const python = join(environment, "bin/python");
  const imports = packages.map((name) => `import ${name.replace(/==.*/, "")}`).join("; ");
  const hasPackages = () =>
    run(python, ["-c", imports]).then(
      () => true,
      () => false,
    );
  try {
    if (!existsSync(python)) await run("python3", ["-m", "venv", environment], { timeout: INSTALL_MS });
    if (!(await hasPackages())) {
      await run(python, ["-m", "pip", "install", "--quiet", ...packages], { timeout: INSTALL_MS });
    }
    if (!(await hasPackages())) return `${packages.join(" and ")} cannot be imported`;
  } catch (error) {
    return `Python with ${packages.join(" and ")} is not available: ${String(error).split("\n")[0]}`;
  }
  return { programs: join(environment, "bin") };
}
