/**
 * The Chromium of the programs that are not tests; the tests' own stands in `playwright.config.ts`.
 * @module
 */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
} from "@playwright/test";
import { findChromium } from "../../.ci/chromium.mjs";

/** Draws maps without a graphics card. */
export const DRAWN_IN_SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] as const;

/** Starts the machine's Chromium. Throws with what to do when there is none. */
export async function launchBrowser(
  args: readonly string[] = [],
  options: Pick<LaunchOptions, "handleSIGINT"> = {},
): Promise<Browser> {
  return chromium.launch({ ...(await ownOptions(args)), ...options });
}

/** The same with a profile in the folder, on the disk as a reader has it: what tests open is a private window, all of it in memory. */
export async function launchProfile(
  folder: string,
  args: readonly string[],
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { ...(await ownOptions(args)), ...options });
}

async function ownOptions(args: readonly string[]): Promise<Required<Pick<LaunchOptions, "executablePath" | "args">>> {
  const executablePath = await findChromium();
  if (!executablePath) throw new Error("no Chromium: run `node .ci/setup.mjs --packages test --browser`");
  // its sandbox refuses to run as root
  return { executablePath, args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...args] };
}
