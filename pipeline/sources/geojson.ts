import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { JSONParser } from "@streamparser/json";
import type { SourceFile } from "./sources.ts";

export type ReadFeature = { readonly value: unknown } | { readonly fault: string };

/**
 * Streams the features. Throws if the file is damaged or not a FeatureCollection. @see
 * https://www.rfc-editor.org/rfc/rfc7946
 */
export function readFeatures({ path, format }: Pick<SourceFile, "path" | "format">): AsyncGenerator<ReadFeature> {
  return format === "geojsonl" ? readLines(path) : readCollection(path);
}

/** Returns the `type` property of the first feature. */
export async function firstTypeOfGeoJson(file: SourceFile): Promise<string | undefined> {
  for await (const feature of readFeatures(file)) {
    if ("fault" in feature) continue;
    const { properties } = objectOf(feature.value);
    const { type } = objectOf(properties);
    return typeof type === "string" ? type : undefined;
  }
  return undefined;
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

async function* readLines(path: string): AsyncGenerator<ReadFeature> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    // RFC 8142: features start with a record separator.
    const text = (line.startsWith("\u001e") ? line.slice(1) : line).trim();
    if (text === "") continue;
    yield parseLine(text, number);
  }
}

function parseLine(text: string, number: number): ReadFeature {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: `line ${number} is not JSON` };
  }
}

async function* readCollection(path: string): AsyncGenerator<ReadFeature> {
  const parser = new JSONParser({ paths: ["$.type", "$.features.*"], keepStack: false });
  let kind: unknown;
  let ready: ReadFeature[] = [];
  let failure: Error | undefined;
  parser.onValue = ({ value, key }) => {
    if (key === "type") kind = value;
    else ready.push({ value });
  };
  parser.onError = (error) => {
    failure = error;
  };
  for await (const chunk of createReadStream(path)) {
    parser.write(chunk);
    if (failure) break;
    yield* ready;
    ready = [];
  }
  if (failure) throw new Error(`${path}: not valid JSON: ${failure.message}`);
  if (!parser.isEnded) throw new Error(`${path}: not valid JSON: it ends too early`);
  if (kind !== "FeatureCollection")
    throw new Error(`${path}: expected a GeoJSON FeatureCollection, got ${String(kind)}`);
}
