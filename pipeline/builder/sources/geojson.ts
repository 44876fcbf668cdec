/**
 * Reads GeoJSON of any size, one feature at a time.
 * @see https://www.rfc-editor.org/rfc/rfc7946 @module
 */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { JSONParser } from "@streamparser/json";
import { parseJson, withoutNaN } from "../../../data/tables/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { SourceFile } from "./sources.ts";

type GeoJsonFile = Pick<SourceFile, "path" | "format">;

type ReadFeature = { readonly value: unknown } | { readonly fault: string };

/** A collection may state its reference system, before or after its features. */
type ReadMember = ReadFeature | { readonly crs: unknown };

const RECORD_SEPARATOR = "\u001e";

/**
 * Yields the features of a GeoJSON file: of a FeatureCollection, with its `crs`, or of one feature per line, with a
 * fault for a line that is not JSON. The content decides about the form. Throws if the file is damaged.
 */
export async function* readFeatures(file: GeoJsonFile): AsyncGenerator<ReadMember> {
  const kind = await firstKind(file.path);
  const isSequence = kind === undefined ? file.format === "geojsonl" : kind === "Feature";
  yield* isSequence ? readLines(file) : readCollection(file.path);
}

/** The member `type` of the first value, before any feature; undefined if the text is no GeoJSON. */
async function firstKind(path: string): Promise<unknown> {
  let kind: unknown;
  const parser = new JSONParser({ paths: ["$.type", "$.features.*"], keepStack: false, separator: "" });
  parser.onValue = ({ value, key }) => {
    kind ??= key === "type" ? value : "FeatureCollection";
  };
  parser.onError = () => {
    kind ??= null;
  };
  for await (const chunk of createReadStream(path, "utf8")) {
    const text = String(chunk).replaceAll(RECORD_SEPARATOR, "").trimStart();
    if (text !== "") parser.write(text);
    if (kind !== undefined) break;
  }
  return kind ?? undefined;
}

const FEATURES_READ = 100;

interface GeoJsonFacts {
  /** The property `type` of the first feature. */
  readonly type: string | undefined;
  /** Names of the first features' properties. */
  readonly columns: readonly string[];
}

/** Returns the property `type` of the first feature, and the names of the properties of the first 100 features. */
export async function firstFeatures(file: GeoJsonFile): Promise<GeoJsonFacts> {
  const columns = new Set<string>();
  let first: unknown;
  let count = 0;
  for await (const feature of readFeatures(file)) {
    if (!("value" in feature)) continue;
    const properties = objectOf(objectOf(feature.value).properties);
    if (count === 0) first = properties.type;
    for (const name of Object.keys(properties)) columns.add(name);
    if (++count === FEATURES_READ) break;
  }
  return { type: typeof first === "string" ? first : undefined, columns: [...columns] };
}

/** Returns the value if it is an object, otherwise an empty object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Features are separated by line ends, or by record separators (RFC 8142). */
async function* readLines({ path, format }: GeoJsonFile): AsyncGenerator<ReadFeature> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    const text = (line.startsWith(RECORD_SEPARATOR) ? line.slice(1) : line).replace("\ufeff", "").trim();
    if (text === "") continue;
    const feature = parseLine(text, number);
    if ("fault" in feature && number === 1 && format === "geojson")
      throw new CodedError(
        "CAIRN_E_SOURCE",
        `${path}: expected a GeoJSON FeatureCollection or a Feature per line, got Feature`,
      );
    yield feature;
  }
}

function parseLine(text: string, number: number): ReadFeature {
  try {
    return { value: parseJson(withoutNaN(text)) };
  } catch {
    return { fault: `line ${number} is not JSON` };
  }
}

async function* readCollection(path: string): AsyncGenerator<ReadMember> {
  const parser = new JSONParser({ paths: ["$.type", "$.crs", "$.features.*"], keepStack: false });
  let kind: unknown;
  let ready: ReadMember[] = [];
  let failure: Error | undefined;
  parser.onValue = ({ value, key }) => {
    if (key === "type") kind = value;
    else ready.push(key === "crs" ? { crs: value } : { value });
  };
  parser.onError = (error) => {
    failure = error;
  };
  const plain = withoutNaNs();
  for await (const chunk of createReadStream(path)) {
    parser.write(plain(chunk));
    if (failure) break;
    yield* ready;
    ready = [];
  }
  if (failure) throw new CodedError("CAIRN_E_SOURCE", `${path}: not valid JSON: ${failure.message}`);
  if (!parser.isEnded) throw new CodedError("CAIRN_E_SOURCE", `${path}: not valid JSON: it ends too early`);
  if (kind !== "FeatureCollection")
    throw new CodedError("CAIRN_E_SOURCE", `${path}: expected a GeoJSON FeatureCollection, got ${String(kind)}`);
}

const [QUOTE, BACKSLASH, CAPITAL_I, CAPITAL_N] = [0x22, 0x5c, 0x49, 0x4e];

/** Replaces NaN by null and Infinity by a number beyond the range of doubles, in chunks of JSON as Python writes it. */
function withoutNaNs(): (chunk: Uint8Array) => Uint8Array {
  let [isInText, isEscaped, isInWord] = [false, false, false];
  return (chunk) => {
    const parts: Uint8Array[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk[at] ?? 0;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isInText = false;
        continue;
      }
      const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
      if (isInWord && isLetter) start = at + 1;
      else if (code === CAPITAL_N || code === CAPITAL_I) {
        parts.push(chunk.subarray(start, at), Buffer.from(code === CAPITAL_N ? "null" : "9e999"));
        start = at + 1;
        isInWord = true;
      } else {
        isInWord = false;
        isInText = code === QUOTE;
      }
    }
    return start === 0 ? chunk : Buffer.concat([...parts, chunk.subarray(start)]);
  };
}
