/**
 * One page of a browser, as little of it as both ways of driving one have. A `Reader` uses it.
 * @module
 */

export interface TabOptions {
  /** As `startDisplay` names it. */
  readonly display: string;
  /** Port of the trap for requests to other machines. */
  readonly trapPort: number;
  /** An empty folder: of the profile, and of `downloads`. */
  readonly folder: string;
  readonly colorScheme?: "light" | "dark";
  /** Nothing that the browser is told stays. */
  readonly isPrivate?: boolean;
}

export interface Tab {
  /** Such as `Firefox 153.7.0`. */
  readonly browser: string;
  /** Where the browser puts what it downloads. */
  readonly downloads: string;
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  /** What the expression comes to in the page, waited for; it goes as JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Runs a script in the page. */
  inject(script: string): Promise<void>;
  /** A press of the mouse, in CSS pixels from the page's corner. */
  press(x: number, y: number): Promise<void>;
  /** Keys one after the other. */
  type(text: string): Promise<void>;
  enter(): Promise<void>;
  /** Of the page, in CSS pixels, or as near to it as the browser's window goes. */
  resize(width: number, height: number): Promise<void>;
  /** Errors that nobody caught, and what the policy refused. */
  faults(): readonly string[];
  /** PNG. */
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** What the function gives in the page, waited for. It sees nothing but its arguments, and both go as JSON. */
export async function run<Args extends readonly unknown[], Result>(
  tab: Tab,
  work: (...args: Args) => Result | Promise<Result>,
  ...args: Args
): Promise<Result> {
  return (await tab.evaluate(`(${work})(...${JSON.stringify(args)})`)) as Result;
}
