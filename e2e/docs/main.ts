/**
 * `npm run docs`: writes the pages that are made from the program.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { benchmarksPage } from "../bench/page.ts";
import { BENCHMARKS, readResults } from "../bench/results.ts";
import { readOptions } from "../support/options.ts";
import { ERRORS_PAGE, errorsPage } from "./errors-page.ts";
import { REST_PAGE, restPage } from "./rest-page.ts";

readOptions({ usage: "npm run docs", options: {} });
const made: readonly (readonly [page: string, text: string])[] = [
  [REST_PAGE, restPage()],
  [ERRORS_PAGE, errorsPage()],
  [BENCHMARKS, benchmarksPage(await readResults())],
];
for (const [page, text] of made) {
  await writeFile(page, text);
  console.log(page);
}
