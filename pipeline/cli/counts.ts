import { InvalidArgumentError } from "commander";

export function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 1.");
  return Number(text);
}
