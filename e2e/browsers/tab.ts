/**
 * The common part of one page in differently driven browsers. A `Reader` uses it.
 * @module
 */

export interface TabOptions {
  /** As returned by `startDisplay`. */
  readonly display: string;
  /** Port of the proxy that records requests to other machines. */
  readonly trapPort: number;
  /** An empty folder for the profile and `downloads`. */
  readonly folder: string;
  readonly colorScheme?: "light" | "dark";
  /** Nothing is stored after the browser closes. */
  readonly isPrivate?: boolean;
}

export interface Tab {
  /** Such as `Firefox 153.7.0`. */
  readonly browser: string;
  /** Folder of downloads. */
  readonly downloads: string;
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  /** Awaits the expression in the page and returns its JSON value. */
  evaluate(expression: string): Promise<unknown>;
  /** Runs a script in the page. */
  inject(script: string): Promise<void>;
  /** Clicks at a position in CSS pixels. */
  press(x: number, y: number): Promise<void>;
  /** Types keys one after the other. */
  type(text: string): Promise<void>;
  enter(): Promise<void>;
  /** Resizes the page, in CSS pixels, as exactly as the browser's window allows. */
  resize(width: number, height: number): Promise<void>;
  /** Uncaught errors and violations of the policy. */
  faults(): readonly string[];
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Runs the function in the page and returns its result. It sees only its arguments. Both are sent as JSON. */
export async function run<Args extends readonly unknown[], Result>(
  tab: Tab,
  work: (...args: Args) => Result | Promise<Result>,
  ...args: Args
): Promise<Result> {
  return (await tab.evaluate(`(${work})(...${JSON.stringify(args)})`)) as Result;
}
