/**
 * Builds page and sample dataset if their sources changed, and records requests to other machines during the run.
 * @module
 */
import { ensureDataset, ensurePage } from "../../pipeline/cli/freshness.ts";
import { DATASET_FOLDER, PAGE_FOLDER, SAMPLE_FOLDER } from "./folders.ts";
import { startTrapProxy } from "./trap-proxy.ts";

/** Hosts that Chromium contacts for updates, accounts and forms. Each page test checks that its page does not. */
const BROWSERS_OWN = /^[\w-]+(\.[\w-]+)*\.(google|googleapis|gvt1|gstatic)\.com$/;

export default async function globalSetup(): Promise<() => Promise<void>> {
  await ensureDataset(SAMPLE_FOLDER, DATASET_FOLDER, "small");
  await ensurePage(PAGE_FOLDER, "small");
  const trap = await startTrapProxy(Number(process.env.CAIRN_E2E_TRAP_PORT));
  return async () => {
    await trap.close();
    const outside = [...new Set(trap.asked)].filter((host) => !BROWSERS_OWN.test(host));
    if (outside.length > 0) throw new Error(`requests to other machines: ${outside.join(", ")}`);
  };
}
