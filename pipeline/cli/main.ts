import { Command, CommanderError } from "commander";
import { registerBuild } from "./build.ts";
import { registerChanges } from "./changes.ts";
import { registerDiff } from "./diff.ts";
import { registerDoctor } from "./doctor.ts";
import { registerExport } from "./export.ts";
import { registerGet } from "./get.ts";
import { registerInit } from "./init.ts";
import { registerKeep } from "./keep.ts";
import { registerMcp } from "./mcp.ts";
import { registerPack } from "./pack.ts";
import { registerQuery } from "./query.ts";
import { registerServe } from "./serve.ts";
import { endAtOnceOnSignal } from "./signals.ts";
import { registerSite } from "./site.ts";
import { registerStart } from "./start.ts";
import { registerTiles } from "./tiles.ts";
import { registerUpload } from "./upload.ts";
import { registerVerify } from "./verify.ts";
import { VERSION } from "./version.ts";
import { registerWorker } from "./worker.ts";

const WRONG_USAGE = 2;

/** Told when the program is built as plain JavaScript: it has the page with it, and neither the sample nor what builds a page. */
declare const CAIRN_PROGRAM: string | undefined;
const OF_SOURCES = typeof CAIRN_PROGRAM === "string" ? [] : [registerStart];

const program = new Command("cairn")
  .description("Searchable map data with no server: Overture data as static GeoParquet.")
  .version(VERSION)
  .option("--debug", "print the stack of an error")
  .showHelpAfterError("(--help says more)")
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "cairn: ")) })
  .exitOverride();

for (const register of [
  registerInit,
  registerGet,
  registerBuild,
  registerVerify,
  registerDiff,
  registerChanges,
  registerKeep,
  registerDoctor,
  registerQuery,
  registerExport,
  registerMcp,
  registerTiles,
  registerPack,
  registerSite,
  registerUpload,
  registerServe,
  ...OF_SOURCES,
  registerWorker,
]) {
  register(program);
}

endAtOnceOnSignal();
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
  else {
    const message = error instanceof Error ? error.message : String(error);
    console.error(`cairn: ${message.split("\n")[0]}`);
    if (program.opts().debug) console.error(error);
    process.exitCode = 1;
  }
}
