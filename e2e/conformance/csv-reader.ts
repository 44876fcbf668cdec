/**
 * Reads CSV as a spreadsheet does.
 * @module
 */
import Papa from "papaparse";
import type { Answer } from "./client.ts";
import { expect } from "./expect.ts";

export interface Csv {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** Parses a CSV answer. */
export function parseCsv({ status, text, request }: Answer): Csv {
  expect.equal(`${request}: status`, status, 200, text);
  const { data, errors, meta } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  const fault = errors.find(({ code }) => code !== "UndetectableDelimiter");
  expect.equal(`${request}: csv`, fault?.message, undefined);
  return { columns: meta.fields ?? [], rows: data };
}
