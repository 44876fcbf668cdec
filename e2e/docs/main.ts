/**
 * `npm run docs`: writes the pages that are made from the program.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { readOptions } from "../support/options.ts";
import { REST_PAGE, restPage } from "./rest-page.ts";

readOptions({ usage: "npm run docs", options: {} });
await writeFile(REST_PAGE, restPage());
console.log(REST_PAGE);
