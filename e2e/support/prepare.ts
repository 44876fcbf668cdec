/**
 * Builds the sample's dataset and the page before all tests of a run, which then share them. `.ci/test.mjs` calls it.
 * @module
 */
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "./folders.ts";

await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER);
await ensurePage(PAGE_FOLDER);
