/**
 * Builds the page into a folder: `page-main.ts <folder>`. It is a process of its own, because another builds the dataset at the
 * same time.
 * @module
 */
import { buildPage } from "./publish.ts";

const [, , out] = process.argv;
if (out === undefined) throw new Error("page-main.ts needs the folder of the page");
try {
  await buildPage(out);
} catch (error) {
  console.error(`cairn: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
