// Runs a benchmark of `e2e/bench` after all packages are installed: `node .ci/bench.mjs [node options] <file> [arguments]`.
import { spawnSync } from "node:child_process";
import { installPackages } from "./setup.mjs";

const words = process.argv.slice(2);
const at = words.findIndex((word) => !word.startsWith("--"));
if (at < 0) throw new Error("expected a file of e2e/bench, got no file");
installPackages("all");
const args = [...words.slice(0, at), "--import", "tsx", `e2e/bench/${words[at]}`, ...words.slice(at + 1)];
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
