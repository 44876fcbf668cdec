/**
 * Starts Chromium for programs that are not tests. `playwright.config.ts` has the tests' settings.
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

/** Starts the installed Chromium. Throws with advice if there is none. */
export async function launchBrowser(
  args: readonly string[] = [],
  options: Pick<LaunchOptions, "handleSIGINT"> = {},
): Promise<Browser> {
  return chromium.launch({ ...(await ownOptions(args)), ...options });
}

/** Starts Chromium with a profile on disk, as users have. Tests use private windows in memory. */
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
  // Its sandbox cannot run as root.
  return { executablePath, args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...args] };
}
