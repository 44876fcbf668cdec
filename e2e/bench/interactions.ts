/**
 * Measures the delay from a key or click to the next paint on a slowed-down processor, with the browser's event timing
 * (rounded to 8 ms). Input is sent as from a device, to positions that were read once.
 * @module
 */
import type { Browser, CDPSession, Page } from "@playwright/test";
import { BOULDER } from "../support/searches.ts";

/** The browser reports no shorter events, in milliseconds. Such an interaction counts as this long. */
const LEAST_TIMED_MS = 16;
/** Time between two typed letters. */
const LETTER_MS = 150;
/** Maximum time of a step. */
const PATIENCE_MS = 120_000;
/** Entries arrive a moment after their paints. */
const ENTRIES_MS = 400;

export interface Interaction {
  readonly step: string;
  /** From the event to the next paint. */
  readonly duration: number;
}

interface TimedEvent extends Omit<Interaction, "step"> {
  readonly id: number;
}

declare global {
  /** Interaction events since the list was cleared. */
  var interactions: TimedEvent[];
}

/** Runs in a page before its scripts. Its functions must be anonymous, because names add a helper that pages lack. */
function observeInteractions(): void {
  globalThis.interactions = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEventTiming & { readonly interactionId: number })[]) {
      const { interactionId: id, duration } = entry;
      if (id > 0) globalThis.interactions.push({ id, duration });
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

export interface InteractionOptions {
  readonly url: string;
  /** Slowdown factor of the page's main thread. */
  readonly slowdown: number;
  /** Whether the browser can draw the map. */
  readonly hasMap: boolean;
}

/** Calls `measure` with a new page that shows a search, on the slowed-down processor. Throws if the page does not respond. */
async function onSearch<Found>(
  browser: Browser,
  { url, slowdown, hasMap }: InteractionOptions,
  measure: (page: Page, device: CDPSession) => Promise<Found>,
): Promise<Found> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(observeInteractions);
    await page.goto(`${url}${BOULDER}`);
    await page.getByText("2,413 places found").waitFor();
    if (hasMap) await page.locator(".maplibregl-canvas").waitFor();
    const device = await context.newCDPSession(page);
    await atRest(page);
    await device.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    return await measure(page, device);
  } finally {
    await context.close();
  }
}

/** Runs through a search on a new page, and returns each interaction. Throws if the page does not respond. */
export function measureInteractions(browser: Browser, options: InteractionOptions): Promise<Interaction[]> {
  return onSearch(browser, options, async (page, device) => {
    const found: Interaction[] = [];
    for (const { name: step, act, count } of walk(page, device, options.hasMap)) {
      await page.evaluate(() => globalThis.interactions.splice(0));
      await act();
      await atRest(page);
      const durations = longestOfEach(await page.evaluate(() => globalThis.interactions.splice(0)));
      for (const duration of durations) found.push({ step, duration });
      for (let i = durations.length; i < count; i++) found.push({ step, duration: LEAST_TIMED_MS });
    }
    return found;
  });
}

/** Answers from memory are measured this often. */
const ANSWERS = 9;

/**
 * Returns the times from `history.back()` until the list of the earlier search is painted, in milliseconds. Its answer is in
 * memory. Throws if the page does not respond.
 */
export function measureAnswersInMemory(browser: Browser, options: InteractionOptions): Promise<number[]> {
  return onSearch(browser, options, async (page) => {
    const times: number[] = [];
    for (let i = 0; i < ANSWERS; i++) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `${BOULDER}&name=library`);
      await page.waitForFunction(() => !document.body.textContent?.includes("2,413 places found"));
      await atRest(page);
      times.push(
        await page.evaluate(
          () =>
            new Promise<number>((resolve) => {
              const started = performance.now();
              const observer = new MutationObserver(() => {
                const isShown = document.body.textContent?.includes("2,413 places found");
                if (!isShown || document.querySelector(".is-stale")) return;
                observer.disconnect();
                // after the next paint
                requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)));
              });
              observer.observe(document.body, {
                attributes: true,
                characterData: true,
                childList: true,
                subtree: true,
              });
              history.back();
            }),
        ),
      );
      await atRest(page);
    }
    return times;
  });
}

function longestOfEach(events: readonly TimedEvent[]): readonly number[] {
  const longest = new Map<number, number>();
  for (const { id, duration } of events) longest.set(id, Math.max(duration, longest.get(id) ?? 0));
  return [...longest.values()];
}

/** Waits until nothing was drawn or fetched for a while. */
async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector(".is-stale"));
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 10_000 })));
  await page.waitForTimeout(ENTRIES_MS);
}

interface Step {
  readonly name: string;
  readonly act: () => Promise<unknown>;
  /** Number of interactions. */
  readonly count: number;
}

const FILTERS = ".folds .fold:not(.is-wide)";
const CHIPS = { buildings: '.chip:has([value="buildings"])', places: '.chip:has([value="places"])' };

function walk(page: Page, device: CDPSession, hasMap: boolean): readonly Step[] {
  const status = (text: RegExp) => page.getByRole("status").filter({ hasText: text }).first().waitFor();

  async function clickAt(x: number, y: number): Promise<void> {
    const mouse = { x, y, button: "left", clickCount: 1 } as const;
    await device.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
    await device.send("Input.dispatchMouseEvent", { type: "mousePressed", ...mouse });
    await device.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...mouse });
  }

  async function click(selector: string): Promise<void> {
    const element = page.locator(selector).first();
    await element.waitFor();
    const { x, y } = await element.evaluate(async (node) => {
      node.scrollIntoView({ block: "nearest" });
      // until it does not move any more
      for (let last = Number.NaN; ; ) {
        const box = node.getBoundingClientRect();
        if (box.y === last) return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        last = box.y;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    });
    await clickAt(x, y);
  }

  async function clickFor(selector: string, done: () => Promise<unknown>): Promise<void> {
    await click(selector);
    await done();
  }

  async function press(key: string, windowsVirtualKeyCode: number, text?: string): Promise<void> {
    const event = { key, windowsVirtualKeyCode };
    await device.send(
      "Input.dispatchKeyEvent",
      text ? { type: "keyDown", ...event, text } : { type: "rawKeyDown", ...event },
    );
    await device.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  async function typeWord(word: string): Promise<void> {
    for (const letter of word) {
      await press(letter, letter.toUpperCase().charCodeAt(0), letter);
      await page.waitForTimeout(LETTER_MS);
    }
    await page.locator(".suggestion").first().waitFor();
  }

  async function takeSuggestion(): Promise<void> {
    const before = page.url();
    await press("Enter", 13, "\r");
    await page.waitForURL((url) => url.href !== before);
    await page.getByText("Searching…").waitFor({ state: "hidden" });
    await page.goBack();
    await status(/^2,413 places found/);
  }

  /** Chooses the next option of a select with the keyboard. */
  async function choose(selector: string, done: () => Promise<unknown>): Promise<void> {
    await page.locator(selector).evaluate((node) => (node as HTMLElement).focus());
    await press("ArrowDown", 40);
    await done();
  }

  async function searchOnMap(): Promise<void> {
    const before = page.url();
    await clickAt(900, 500);
    await page.waitForURL((url) => url.href !== before);
    await status(/ found/);
  }

  const steps: readonly (readonly [name: string, act: () => Promise<unknown>, count?: number])[] = [
    ["search box", () => click(".search-box input")],
    ["letters of a word", () => typeWord("library"), "library".length],
    ["arrow to a suggestion", () => press("ArrowDown", 40)],
    ["Enter on it", takeSuggestion],
    ["open a record", () => clickFor(".result", () => page.locator(".detail").waitFor())],
    ["close it", () => clickFor(".detail button", () => page.locator(".result").first().waitFor())],
    ["unfold filters", () => clickFor(FILTERS, () => page.locator(".category").first().waitFor())],
    ["tick a filter", () => clickFor(".category input", () => status(/^(?!2,413)[\d,]+ places found/))],
    ["untick it", () => clickFor(".category input", () => status(/^2,413 places found/))],
    ["fold filters", () => click(FILTERS)],
    ["buildings instead", () => clickFor(CHIPS.buildings, () => status(/buildings found/))],
    ["places instead", () => clickFor(CHIPS.places, () => status(/^2,413 places found/))],
    ["more of the list", () => clickFor(".list-more button", () => page.locator("[aria-posinset='26']").waitFor())],
    ["another order", () => choose(".sort select", () => page.waitForURL(/sort=/))],
    ["open the menu", () => click("header [popovertarget=menu]")],
    ["open a panel", () => clickFor("#menu button:text('Saved areas')", () => page.locator("dialog[open]").waitFor())],
    ["close the panel", () => click("dialog[open] .panel-frame-header button")],
  ];
  const onMap = ["search on the map", searchOnMap] as const;
  return (hasMap ? [...steps, onMap] : steps).map(([name, act, count = 1]) => ({ name, act, count }));
}
