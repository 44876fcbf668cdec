export { capMemory } from "./cap-memory.ts";
export { createDecoder, MAX_READER_BYTES, type ParquetReader } from "./decoder.ts";
