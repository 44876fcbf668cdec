/**
 * Builds the sample's dataset, the page and the command line before all tests of a run, which then share them. `.ci/test.mjs`
 * calls it.
 * @module
 */
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { bundle } from "../../pipeline/testing/bundle.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "./folders.ts";

await Promise.all([ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER, "small"), ensurePage(PAGE_FOLDER)]);
await bundle("pipeline/cli/main.ts");
