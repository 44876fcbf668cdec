import { InvalidArgumentError } from "commander";

export function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 1.");
  return Number(text);
}

/** `5%` as 0.05. */
export function parseShare(text: string): number {
  const [, number] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim()) ?? [];
  const share = Number(number) / 100;
  if (!(share <= 1)) throw new InvalidArgumentError("Expected a share such as 5%, from 0% to 100%.");
  return share;
}
