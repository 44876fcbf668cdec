/**
 * The Chromium of the programs that are not tests; the tests' own stands in `playwright.config.ts`.
 * @module
 */
import { type Browser, chromium, type LaunchOptions } from "@playwright/test";
import { findChromium } from "../../.ci/chromium.mjs";

/** Draws maps without a graphics card. */
export const DRAWN_IN_SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] as const;

/** Starts the machine's Chromium. Throws with what to do when there is none. */
export async function launchBrowser(
  args: readonly string[] = [],
  options: Pick<LaunchOptions, "handleSIGINT"> = {},
): Promise<Browser> {
  const executablePath = await findChromium();
  if (!executablePath) throw new Error("no Chromium: run `node .ci/setup.mjs --browser`");
  // its sandbox refuses to run as root
  const allArgs = [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...args];
  return chromium.launch({ executablePath, args: allArgs, ...options });
}
