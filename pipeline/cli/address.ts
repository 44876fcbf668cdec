import { InvalidArgumentError } from "commander";

/** Parses an http or https address and returns it unchanged. Throws if invalid. */
export function parseAddress(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError(`an address starts with http:// or https://, got ${text}`);
}
