/**
 * `npm run e2e:hosts`: the complete end-to-end suite, served by nginx below a path, and by Apache and Caddy at the
 * root. It
 * takes some minutes per host; `npm test` runs the relevant part.
 * @module
 */
import { spawnSync } from "node:child_process";
import { readOptions } from "../support/options.ts";
import { HOST_NAMES } from "./recipes.ts";

const { values, positionals } = readOptions({
  usage: "npm run e2e:hosts -- [<file>...] [--grep <title>]",
  options: { grep: { type: "string", short: "g" } },
  mostArguments: Number.POSITIVE_INFINITY,
});

for (const name of HOST_NAMES) {
  console.log(`\n== ${name}`);
  const env = { ...process.env, CAIRN_E2E_HOST: name };
  const args = [
    "--no-install",
    "playwright",
    "test",
    ...["page", "site", "deep-page", "deep-site", "phone"].map((name) => `--project=${name}`),
    "--reporter=list",
    ...(values.grep === undefined ? [] : ["--grep", values.grep]),
    ...positionals,
  ];
  const { status } = spawnSync("npx", args, { stdio: "inherit", env });
  if (status !== 0) process.exitCode = 1;
}
