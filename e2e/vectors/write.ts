/** Writes the test vectors of the specification from their source. @module */
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDataset } from "../../pipeline/builder/dataset/build.ts";
import { distanceTo } from "../../web/engine/testing/oracle.ts";
import { answerOf, rounded, type Vector } from "./answers.ts";
import { makeAdditions, makeInvalid } from "./invalid.ts";
import { DISTANCES, QUESTIONS } from "./questions.ts";
import { readSource, SOURCE } from "./source.ts";

/** The folder of the valid dataset. */
export const DATASET = "dataset";
/** Written files, besides the dataset. */
export const WRITTEN = ["questions.json", "distances.json", "invalid.json", "additions.json"] as const;

/** The 22 places of Monaco then have several sections. */
const SECTION_BYTES = 40;

/** No reader of the format opens the STAC catalogue. */
const LEFT_OUT = new Set(["catalog.json", "stac"]);

/** Replaces dataset and answers in the folder. */
export async function writeVectors(out: string): Promise<void> {
  const built = await mkdtemp(join(tmpdir(), "cairn-vectors-"));
  try {
    await buildDataset({
      sources: [SOURCE],
      out: join(built, DATASET),
      release: "vectors",
      sectionBytes: SECTION_BYTES,
    });
    const folder = join(out, DATASET);
    await rm(folder, { recursive: true, force: true });
    for (const name of await readdir(join(built, DATASET))) {
      if (LEFT_OUT.has(name) || name.startsWith(".")) continue;
      await cp(join(built, DATASET, name), join(folder, name), { recursive: true });
    }
    const rows = await readSource();
    const vectors = QUESTIONS.map((question): Vector => ({ ...question, answer: answerOf(rows, question) }));
    const distances = DISTANCES.map(({ from, geometry }) => ({
      from,
      geometry,
      distance: rounded(distanceTo(from, geometry)),
    }));
    await writeList(join(out, "questions.json"), vectors);
    await writeList(join(out, "distances.json"), distances);
    await writeList(join(out, "invalid.json"), await makeInvalid(folder));
    const additions = (await makeAdditions(folder)).map((one) => ({ ...one, answer: answerOf(rows, one.question) }));
    await writeList(join(out, "additions.json"), additions);
  } finally {
    await rm(built, { recursive: true });
  }
}

/** Writes an item per line. */
async function writeList(path: string, items: readonly unknown[]): Promise<void> {
  await writeFile(path, `[\n${items.map((item) => JSON.stringify(item)).join(",\n")}\n]\n`);
}
