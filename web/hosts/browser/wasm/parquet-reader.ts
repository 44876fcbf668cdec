import { parquetWasm } from "virtual:shipped-files";
import { bytesOfBase64 } from "../../../../data/format/bytes.ts";
import { type DecodeParquet, FetchError } from "../../../engine/index.ts";
import { loadPart } from "../parts/index.ts";
import { decompress, wasmResponse, withWasm } from "./wasm-files.ts";

interface ReaderOptions {
  readonly base: URL;
  readonly onProgress?: (receivedBytes: number) => void;
}

/** Loads the Parquet reader. Throws `FetchError` when it cannot be loaded. */
export function loadParquetReader({ base, onProgress }: ReaderOptions): Promise<DecodeParquet> {
  const program = loadPart(() => import("./parquet.ts")).catch((cause: unknown) => {
    throw new FetchError("the Parquet reader's program cannot be fetched", { path: parquetWasm.path, cause });
  });
  // reported when the module is loaded
  program.catch(() => {});
  const options = { base, keepPlain: true, ...(onProgress ? { onProgress } : {}) };
  return withWasm(parquetWasm, options, async (wasm) => (await program).initParquet(wasm));
}

/** Starts the Parquet reader from its WebAssembly module, which is compressed with xz or gzip and written as base64. */
export async function startParquetReader(base64: string): Promise<DecodeParquet> {
  const { initParquet } = await loadPart(() => import("./parquet.ts"));
  const bytes = bytesOfBase64(base64);
  return initParquet(wasmResponse(await decompress(new Blob([bytes]).stream())));
}
