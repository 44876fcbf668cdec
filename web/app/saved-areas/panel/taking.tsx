/** Progress and result of importing an area from a file. @module */

import { type Signal, useSignal } from "@preact/signals";
import type { ImportResult, SaveProgress } from "../../../hosts/browser/protocol/index.ts";
import { formatBytes, reasonOf, text } from "../../text/index.ts";
import { noRoomText } from "./saved-area-item.tsx";

/** What is said about an import; undefined before one. `stop` cancels it, and is only there while it runs. */
export type Taking = { readonly text: string; readonly isFault?: boolean; readonly stop?: () => void } | undefined;

type Work = (onProgress: (progress: SaveProgress) => void, signal: AbortSignal) => Promise<ImportResult>;

/** Whether an import is running. */
export function isTaking(taking: Taking): boolean {
  return taking?.stop !== undefined;
}

/** Returns what is said about the import, and a function that starts one. `file` is the name in messages. */
export function useTaking(): { readonly state: Signal<Taking>; take(file: string, work: Work): Promise<void> } {
  const state = useSignal<Taking>(undefined);
  const take = async (file: string, work: Work): Promise<void> => {
    const controller = new AbortController();
    const stop = () => controller.abort();
    const say = (words: string, isFault = false) => {
      state.value = { text: words, isFault };
    };
    state.value = { text: text("saved.reading"), stop };
    try {
      const result = await work(({ files, totalFiles, bytes, totalBytes }) => {
        const [size, totalSize] = [formatBytes(bytes), formatBytes(totalBytes)];
        state.value = { text: text("saved.taking", { files, totalFiles, size, totalSize }), stop };
      }, controller.signal);
      if (result.kind === "saved") say(text("saved.taken", { file }));
      else if (result.kind === "damaged") say(text("saved.damaged", { file, reason: result.reason }), true);
      else if (result.kind === "full") say(noRoomText(result), true);
      else state.value = undefined;
    } catch (error) {
      if (controller.signal.aborted) state.value = undefined;
      else say(text("saved.failed", { reason: reasonOf(error) }), true);
    }
  };
  return { state, take };
}

/** Shows what is said about an import, and a button that cancels it. */
export function TakingNote({ taking }: { readonly taking: Taking }) {
  if (!taking) return null;
  return (
    <>
      <p class="area-taking" role={taking.isFault ? "alert" : "status"}>
        {taking.text}
      </p>
      {taking.stop && (
        <button type="button" onClick={taking.stop}>
          {text("export.cancel")}
        </button>
      )}
    </>
  );
}
