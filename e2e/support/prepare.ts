/**
 * Builds the sample's dataset, the page and the command line, which all tests of a run share. Called by
 * `.ci/test.mjs`.
 * @module
 */
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { bundle } from "../../pipeline/testing/bundle.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "./folders.ts";

// A build of the sources must not run tasks in an older bundle: later builds would reuse their output.
delete process.env.CAIRN_TEST_CLI;
await Promise.all([ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER, "small"), ensurePage(PAGE_FOLDER, "small")]);
await bundle("pipeline/cli/main.ts");
