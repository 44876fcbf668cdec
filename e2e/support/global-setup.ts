/**
 * Builds page and sample dataset when something changed, as `npm start` does, and watches the whole run for requests to
 * other machines.
 * @module
 */
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "./folders.ts";
import { startStrangerTrap } from "./stranger-trap.ts";

/**
 * What Chromium asks for of itself: updates, accounts, the filling in of forms. That no page asks for these, each page
 * test sees in the requests of its pages.
 */
const BROWSERS_OWN = /^[\w-]+(\.[\w-]+)*\.(google|googleapis|gvt1|gstatic)\.com$/;

export default async function globalSetup(): Promise<() => Promise<void>> {
  await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER, "small");
  await ensurePage(PAGE_FOLDER);
  const trap = await startStrangerTrap(Number(process.env.CAIRN_E2E_TRAP_PORT));
  return async () => {
    await trap.close();
    const strangers = [...new Set(trap.asked)].filter((host) => !BROWSERS_OWN.test(host));
    if (strangers.length > 0) throw new Error(`requests to other machines: ${strangers.join(", ")}`);
  };
}
