/**
 * `npm run synth:release -- <out>`: a miniature release to try `cairn get` without a network.
 * @module
 */
import { Command } from "commander";
import { makeRelease } from "./release.ts";

const command = new Command("npm run synth:release --")
  .description(
    "Makes a miniature release of the sample, laid out as Overture lays out its own, with its STAC catalogue: a mirror for cairn get --from.",
  )
  .argument("<out>", "folder of the mirror")
  .option("--release <names...>", "names of releases, the last is the latest", ["2026-10-21.0"])
  .showHelpAfterError()
  .parse();

const [out = ""] = command.args;
const { release } = command.opts<{ release: string[] }>();
const files = await makeRelease({ out, releases: release });
console.log(`${files.length} files of release ${release.join(", ")} below ${out}`);
