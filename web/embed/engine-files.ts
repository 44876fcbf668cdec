/**
 * Files of the engine as text in separate scripts: bundlers include scripts, but do not copy files that scripts
 * fetch. @module
 */
import type { Language } from "../../data/format/languages.ts";
import { loadPart } from "../hosts/browser/parts/index.ts";
import type { MapPart } from "../hosts/browser/protocol/index.ts";
import { categoryWords, intentWords } from "./words.ts";

/**
 * Returns the content of one engine file: the compressed Parquet reader as base64, otherwise JSON text (the world map, or
 * category words of a language). Throws `PartError` if the script that contains the file cannot be loaded.
 */
export async function loadEngineFile(name: MapPart): Promise<string> {
  if (name === "reader") return (await loadPart(() => import("virtual:shipped-files/parquetWasm"))).default;
  if (name === "world") return (await loadPart(() => import("virtual:shipped-files/world"))).default;
  const [kind, language] = name.split("-") as ["words" | "intents", Language];
  return JSON.stringify(await (kind === "words" ? categoryWords : intentWords)(language));
}
