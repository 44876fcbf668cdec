/**
 * Builds the sample's dataset before all tests of a run, which then share it. `.ci/test.mjs` calls it.
 * @module
 */
import { ensureDataset } from "../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, SAMPLE_FOLDER } from "./folders.ts";

await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER);
