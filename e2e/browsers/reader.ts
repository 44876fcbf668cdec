/**
 * Uses a page like a person: finds elements by role and name in the accessibility tree, and clicks the topmost one.
 * @module
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { run, type Tab } from "./tab.ts";

const QUERIES = createRequire(import.meta.url).resolve("@testing-library/dom/dist/@testing-library/dom.umd.min.js");
/** For hangs only. */
const LONGEST_WAIT_MS = 120_000;
const BETWEEN_LOOKS_MS = 100;

/** A role, and a complete name or a pattern. */
export interface Sought {
  readonly role: string;
  readonly name?: string | RegExp;
}

/** Both are absent if there is no element; the middle also if a click does not reach it. */
interface Look {
  readonly text?: string;
  readonly middle?: { readonly x: number; readonly y: number };
}

export interface Reader {
  /** Waits until the work returns a value other than undefined or false, and ignores its errors until then. */
  until<Value>(what: string, work: () => Promise<Value | undefined | false>): Promise<Value>;
  /** Waits until an element with role and name is visible, and returns its text; of a field, its label's text. */
  see(sought: Sought): Promise<string>;
  /** Waits until a status of the page matches, and returns its complete text. */
  hear(pattern: RegExp): Promise<string>;
  press(sought: Sought): Promise<void>;
  /** Replaces the text of a field. */
  fill(sought: Sought, text: string): Promise<void>;
}

/** Returns a reader for a tab. */
export function readerOf(tab: Tab): Reader {
  async function until<Value>(what: string, work: () => Promise<Value | undefined | false>): Promise<Value> {
    const end = Date.now() + LONGEST_WAIT_MS;
    for (;;) {
      let last: unknown;
      try {
        const value = await work();
        if (value !== undefined && value !== false) return value;
      } catch (error) {
        last = error;
      }
      if (Date.now() > end) throw new Error(`${tab.browser}: waited in vain for ${what}`, { cause: last });
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
    }
  }

  /** Text of the first match, and its middle if a click reaches it. */
  async function look({ role, name }: Sought, scrolls = false): Promise<Look> {
    if (!(await run(tab, () => "TestingLibraryDom" in window))) await tab.inject(await readFile(QUERIES, "utf8"));
    const pattern = name instanceof RegExp ? { source: name.source, flags: name.flags } : undefined;
    return run(
      tab,
      (role, name, pattern, scrolls) => {
        const { queryAllByRole } = Reflect.get(window, "TestingLibraryDom") as typeof import("@testing-library/dom");
        const wanted = pattern ? new RegExp(pattern.source, pattern.flags) : name;
        // A modal dialog blocks everything outside.
        const within = document.querySelector<HTMLElement>("dialog:modal") ?? document.body;
        const [first] = queryAllByRole(within, role, wanted === null ? {} : { name: wanted });
        if (!first) return {};
        if (scrolls) first.scrollIntoView({ block: "nearest", behavior: "instant" });
        const box = first.getBoundingClientRect();
        const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
        const top = document.elementFromPoint(middle.x, middle.y);
        // A check box may be drawn by its label.
        const isReached = [first, first.closest("label")].some((each) => each?.contains(top));
        const isEnabled = !first.matches(":disabled");
        const text = (first instanceof HTMLInputElement ? first.labels?.[0] : first)?.textContent ?? "";
        return { text, ...(isReached && isEnabled ? { middle } : {}) };
      },
      role,
      typeof name === "string" ? name : null,
      pattern ?? null,
      scrolls,
    );
  }

  const nameOf = ({ role, name }: Sought) => (name === undefined ? role : `${role} ${name}`);

  async function press(sought: Sought): Promise<void> {
    const { x, y } = await until(`${nameOf(sought)} to be pressed`, async () => (await look(sought, true)).middle);
    await tab.press(x, y);
  }

  return {
    until,
    press,
    see: (sought) => until(nameOf(sought), async () => (await look(sought)).text),
    hear: (pattern) =>
      until(`a status ${pattern}`, async () => {
        const texts = await run(tab, () =>
          Array.from(document.querySelectorAll("[role=status], [role=alert]"), (each) => each.textContent ?? ""),
        );
        return texts.find((text) => pattern.test(text));
      }),
    async fill(sought, text) {
      await press(sought);
      await run(tab, () => {
        const field = document.activeElement;
        if (field instanceof HTMLInputElement) field.select();
      });
      await tab.type(text);
    },
  };
}
