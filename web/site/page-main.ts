/**
 * Builds the page into a folder: `page-main.ts <folder>`. It is a process of its own, because another builds the dataset at the
 * same time.
 * @module
 */
import { buildPage } from "./publish.ts";

const [, , out] = process.argv;
if (out === undefined) throw new Error("page-main.ts needs the folder of the page");
await buildPage(out);
