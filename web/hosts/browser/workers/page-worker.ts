/**
 * The page's own worker, as small as can be: the Parquet reader is on its way before the engine is here to ask for it.
 * @module
 */
import { parquetWasm } from "virtual:shipped-files";
import { fetchEarly } from "../cache/index.ts";
import { isOpenCall } from "../protocol/index.ts";

/** What the page asked before the engine could listen. */
const asked: unknown[] = [];

function keep({ data }: MessageEvent): void {
  asked.push(data);
  if (isOpenCall(data)) fetchEarly(new URL(parquetWasm.path, data.argument.base).href);
}

self.addEventListener("message", keep);
import("./page-engine.ts").then(
  () => {
    self.removeEventListener("message", keep);
    for (const data of asked) self.dispatchEvent(new MessageEvent("message", { data }));
  },
  // as if this script itself could not be had
  (error: unknown) => reportError(error),
);
