/**
 * Builds the page into a folder: `page-main.ts <folder> <fast|small>`. It is a process of its own, because another builds the dataset at the
 * same time.
 * @module
 */
import { buildPage } from "./publish.ts";

const [, , out, level] = process.argv;
if (out === undefined || (level !== "fast" && level !== "small"))
  throw new Error("page-main.ts needs the folder of the page and its level, fast or small");
try {
  await buildPage(out, { level });
} catch (error) {
  console.error(`cairn: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
