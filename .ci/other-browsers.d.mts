export interface OtherBrowsers {
  readonly firefox?: string;
  readonly webkit?: { readonly driver: string; readonly browser: string };
  /** What is not here, by name. */
  readonly leftOut: readonly string[];
}
export function findOtherBrowsers(): OtherBrowsers;
export function ensureOtherBrowsers(): OtherBrowsers;
