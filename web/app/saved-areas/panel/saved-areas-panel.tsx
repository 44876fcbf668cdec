import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatBytes, text } from "../../text/index.ts";
import { PanelFrame } from "../../widgets/index.ts";
import { importArea, loadAreas, overview, overviewFault } from "../index.ts";
import { SavedAreaForm } from "./saved-area-form.tsx";
import { SavedAreaItem } from "./saved-area-item.tsx";
import "../../styles/areas.css";

/** Saved areas: the list, a new one, one from a file, and the room that all of it takes. */
export function SavedAreasPanel({ onClose }: { onClose: () => void }) {
  const isAdding = useSignal(false);
  // what could not be read may be read now
  useEffect(() => void loadAreas(), []);
  const areas = overview.value?.areas ?? [];
  return (
    <PanelFrame title={text("panel.areas")} kind="beside" onClose={onClose}>
      {isAdding.value ? (
        <SavedAreaForm
          onDone={() => {
            isAdding.value = false;
          }}
        />
      ) : (
        <>
          <p class="quiet">{text("saved.about")}</p>
          <div class="area-tools">
            <button
              type="button"
              class="primary"
              onClick={() => {
                isAdding.value = true;
              }}
            >
              {text("saved.new")}
            </button>
            <ImportButton />
          </div>
          {overviewFault.value !== undefined && (
            <p role="alert">{text("saved.unreadable", { reason: overviewFault.value })}</p>
          )}
          {overview.value && areas.length === 0 && <p>{text("saved.none")}</p>}
          <ul class="area-list" aria-label={text("panel.areas")}>
            {areas.map((area) => (
              <SavedAreaItem key={area.id} area={area} />
            ))}
          </ul>
          <Room />
        </>
      )}
    </PanelFrame>
  );
}

/** What is said of a file that is or was taken in; `stop` while it is. */
type Taking = { readonly text: string; readonly isFault?: boolean; readonly stop?: () => void } | undefined;

/** Takes in a file from another device. */
function ImportButton() {
  const input = useRef<HTMLInputElement>(null);
  const state = useSignal<Taking>(undefined);
  const take = async (file: File) => {
    const controller = new AbortController();
    const stop = () => controller.abort();
    const say = (words: string, isFault = false) => {
      state.value = { text: words, isFault };
    };
    state.value = { text: text("saved.reading"), stop };
    try {
      const result = await importArea(
        file,
        ({ files, totalFiles, bytes, totalBytes }) => {
          const [size, totalSize] = [formatBytes(bytes), formatBytes(totalBytes)];
          state.value = { text: text("saved.taking", { files, totalFiles, size, totalSize }), stop };
        },
        controller.signal,
      );
      if (result.kind === "saved") say(text("saved.taken", { file: file.name }));
      else if (result.kind === "damaged") say(text("saved.damaged", { file: file.name, reason: result.reason }), true);
      else if (result.kind === "full") {
        const [needed, free] = [formatBytes(result.neededBytes), formatBytes(result.freeBytes)];
        say(text("saved.full", { needed, free }), true);
      } else state.value = undefined;
    } catch (error) {
      if (controller.signal.aborted) state.value = undefined;
      else say(text("saved.failed", { reason: error instanceof Error ? error.message : String(error) }), true);
    }
  };
  return (
    <>
      <button type="button" disabled={state.value?.stop !== undefined} onClick={() => input.current?.click()}>
        {text("saved.import")}
      </button>
      <input
        ref={input}
        type="file"
        accept=".tar,application/x-tar"
        class="visually-hidden"
        tabIndex={-1}
        aria-label={text("saved.import")}
        onChange={(event) => {
          const { currentTarget } = event;
          const [file] = currentTarget.files ?? [];
          if (file) void take(file);
          currentTarget.value = "";
        }}
      />
      {state.value && (
        <p class="area-taking" role={state.value.isFault ? "alert" : "status"}>
          {state.value.text}
        </p>
      )}
      {state.value?.stop && (
        <button type="button" onClick={state.value.stop}>
          {text("saved.stop")}
        </button>
      )}
    </>
  );
}

/** What is taken of the room that the browser grants. */
function Room() {
  if (!overview.value) return null;
  const { areaBytes, seenBytes, usedBytes, quotaBytes } = overview.value;
  return (
    <footer class="quiet area-room">
      <p>{text("saved.room", { areas: formatBytes(areaBytes), seen: formatBytes(seenBytes) })}</p>
      {usedBytes !== undefined && quotaBytes !== undefined && (
        <p>{text("saved.quota", { used: formatBytes(usedBytes), quota: formatBytes(quotaBytes) })}</p>
      )}
    </footer>
  );
}
