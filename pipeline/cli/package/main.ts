/** `npm run package`: writes the package to a folder, and its tarball next to it. @module */

import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { messageOf } from "../../../data/format/message-of.ts";
import { makePackage } from "./make-package.ts";

const out = ".cairn/package";

try {
  parseArgs();
} catch (error) {
  console.error(`${messageOf(error)}\n\nUsage: npm run package`);
  process.exit(2);
}

// Set in GitHub workflows.
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;

try {
  await makePackage(out, server && repository ? `${server}/${repository}` : undefined);
  const { stdout } = await promisify(execFile)("npm", [
    "pack",
    "--json",
    "--pack-destination",
    dirname(out),
    `./${out}`,
  ]);
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  const tarball = join(dirname(out), packed?.filename ?? "");
  console.log(`${tarball}: ${(await stat(tarball)).size} bytes`);
} catch (error) {
  console.error(`cairn: ${messageOf(error)}`);
  process.exitCode = 1;
}
