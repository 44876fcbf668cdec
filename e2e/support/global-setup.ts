/**
 * Builds page and sample dataset when something changed, as `npm start` does.
 * @module
 */
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "./folders.ts";

export default async function globalSetup(): Promise<void> {
  await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER);
  await ensurePage(PAGE_FOLDER);
}
