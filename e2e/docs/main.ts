/**
 * `npm run docs`: writes the pages that are made from the program.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { REST_PAGE, restPage } from "./rest-page.ts";

await writeFile(REST_PAGE, await restPage());
console.log(REST_PAGE);
