/**
 * `npm run synth -- <out> --places 1000000`: synthetic sources of any size.
 * @module
 */
import { Presets, SingleBar } from "cli-progress";
import { Command, InvalidArgumentError } from "commander";
import type { SyntheticKindName } from "./kinds.ts";
import { type SynthesiseProgress, synthesise } from "./synthesise.ts";

type SynthOptions = { seed: number } & Record<SyntheticKindName, number>;

/** A count of rows, such as `5000000`. */
function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError(`expected a whole number of rows, such as 1000000, got ${text}`);
}

/** Shows the rows made on stderr when a person watches it. */
function reportRows(): ((progress: SynthesiseProgress) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  const format = "{bar} {value}/{total} rows, {eta_formatted} left";
  const bar = new SingleBar(
    { stream: process.stderr, format, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  process.once("exit", () => bar.stop());
  return ({ done, total }) => (done === 0 ? bar.start(total, 0) : bar.update(done));
}

const command = new Command("npm run synth --")
  .description(
    "Makes sources in Overture's schema and layout that look like the real ones: towns of all countries as dense as they are, " +
      "names in their scripts, categories and brands as rare as in the sample. The same seed makes the same rows, and a smaller " +
      "dataset is the beginning of a larger one.",
  )
  .argument("<out>", "folder to write theme=<theme>/type=<type>/part-<n>.zstd.parquet below")
  .option("--places <rows>", "places to make", parseCount, 0)
  .option("--buildings <rows>", "buildings to make", parseCount, 0)
  .option("--addresses <rows>", "addresses to make", parseCount, 0)
  .option("--segments <rows>", "road segments to make", parseCount, 0)
  .option("--seed <number>", "another seed, another world", parseCount, 1)
  .showHelpAfterError()
  .parse();

const [out = ""] = command.args;
const { seed, ...rows } = command.opts<SynthOptions>();
const files = await synthesise({ out, seed, rows, onProgress: reportRows() });
const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
console.log(`${total} rows in ${files.length} file${files.length === 1 ? "" : "s"} below ${out}`);
