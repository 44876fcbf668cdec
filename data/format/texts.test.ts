import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { BLOCK_BYTES, sealBlock, sealLast } from "./blocks.ts";
import { joinBytes } from "./bytes.ts";
import { type StoredRecord, writeGroup } from "./records.ts";
import { MAX_TEXTS_BYTES, readTexts, textsOfChunk } from "./texts.ts";

const NO_DICTIONARY = new Uint8Array();
const POINT = Uint8Array.of(0xe1, 0, 2, 2);
const utf8 = (text: string) => new TextEncoder().encode(text);
const record = (json: string, geometry = POINT): StoredRecord => ({ json: utf8(json), geometry });
const deflate = (bytes: Uint8Array) => new Uint8Array(deflateRawSync(bytes));
const stored = (text: string) => Buffer.from(deflate(utf8(text))).toString("base64");

/** Two groups: one is at the end of the chunk. */
async function chunkOf(...groups: readonly (readonly StoredRecord[])[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let blocks = 0;
  for (const [index, group] of groups.entries()) {
    const seal = index === groups.length - 1 ? sealLast : sealBlock;
    const sealed = await seal(writeGroup(group, deflate), blocks);
    parts.push(sealed);
    blocks += Math.ceil(sealed.length / BLOCK_BYTES);
  }
  return joinBytes(parts);
}

const UUID = '{"id":"0b0c1d2e-3f40-4152-8364-758697a8b9ca"}';

test("texts of a chunk are those of its records in order, with their UUIDs", async () => {
  const chunk = await chunkOf([record(UUID), record('{"id":"b"}')], [record('{"id":"ü"}')]);
  const texts = await textsOfChunk(chunk, NO_DICTIONARY);
  expect(new TextDecoder().decode(texts)).toBe(`${UUID}\n{"id":"b"}\n{"id":"ü"}\n`);
  const read = await readTexts(stored(new TextDecoder().decode(texts)), 3);
  expect(read.map((text) => new TextDecoder().decode(text))).toEqual([UUID, '{"id":"b"}', '{"id":"ü"}']);
});

test("a chunk with a table of parts or a text with a line feed has no texts", async () => {
  expect(await textsOfChunk(await chunkOf([record("{}", Uint8Array.of(2, 0))]), NO_DICTIONARY)).toBeUndefined();
  expect(await textsOfChunk(await chunkOf([record("{\n}")]), NO_DICTIONARY)).toBeUndefined();
  await expect(textsOfChunk((await chunkOf([record("{}")])).fill(1, 20), NO_DICTIONARY)).rejects.toThrow("check");
});

test.each([
  ["too few", stored("{}\n"), "1 texts end at byte 3 of 3, expected 2"],
  ["no line feed at the end", stored("{}\n{}\n{"), "2 texts end at byte 6 of 7, expected 2"],
  ["no base64", "!", /./],
  ["no deflate", "////", /./],
  ["too long", stored(`${"x".repeat(MAX_TEXTS_BYTES)}\n\n`), "expected at most 1048576"],
])("texts are refused: %s", async (_, text, message) => {
  await expect(readTexts(text, 2)).rejects.toThrow(message);
});
