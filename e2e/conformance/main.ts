/**
 * `npm run conformance -- <base url> <source>...`: the suite against a server.
 * @module
 */
import { Command } from "commander";
import { runConformance } from "./run.ts";

interface Flags {
  readonly key?: string;
  readonly only?: string;
}

const command = new Command("conformance")
  .description("Checks an implementation of the REST interface against the rows it was built from.")
  .argument("<base-url>", "base URL of the paths, such as http://127.0.0.1:8080/")
  .argument("<source...>", "Parquet files or folders that the dataset was built from")
  .option("--key <key>", "a key that the implementation accepts")
  .option("--only <pattern>", "run only the checks whose name matches")
  .showHelpAfterError()
  .parse();

/** Retries once: a server may close an idle connection when it is used. */
async function send(path: string, init?: RequestInit): Promise<Response> {
  const url = base.replace(/\/$/, "") + path;
  return fetch(url, init).catch(() => fetch(url, init));
}

const [base = "", ...sources] = command.args;
const { key, only } = command.opts<Flags>();
const { failed } = await runConformance({
  fetch: send,
  sources,
  ...(key === undefined ? {} : { key }),
  ...(only === undefined ? {} : { only: new RegExp(only) }),
  report: (line) => process.stdout.write(`${line}\n`),
});
process.exitCode = failed > 0 ? 1 : 0;
