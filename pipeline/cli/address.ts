import { InvalidArgumentError } from "commander";

/** An address of the web, as it was given. */
export function parseAddress(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError(`an address begins with http:// or https://, got ${text}`);
}
