import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isOnline, pageState } from "../../state/index.ts";
import { formatBytes, reasonOf, releaseText, text } from "../../text/index.ts";
import { FileButton, PanelFrame, useAnswer } from "../../widgets/index.ts";
import { remote } from "../../worker/index.ts";
import { finishRemovals, isKeptForGood, loadAreas, overview, overviewFault, savedAreas, takeIn } from "../index.ts";
import { SavedAreaForm } from "./saved-area-form.tsx";
import { SavedAreaItem } from "./saved-area-item.tsx";
import { isTaking, TakingNote, useTaking } from "./taking.tsx";
import "../../styles/areas.css";

/** The panel of saved areas: their list, a new one, one from a file, those that the site offers, and the storage used. */
export function SavedAreasPanel({ onClose }: { onClose: () => void }) {
  const isAdding = useSignal(false);
  // reading may succeed now
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
          {pageState.value.isAtPacks && <ReadyPacks />}
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
          <AreaList />
          {!pageState.value.isAtPacks && <ReadyPacks />}
          <StorageUse />
        </>
      )}
    </PanelFrame>
  );
}

/** The list of areas. When the user leaves it, marked areas are removed. */
function AreaList() {
  useEffect(() => () => void finishRemovals(), []);
  return (
    <ul class="area-list" aria-label={text("panel.areas")}>
      {overview.value?.areas.map((area) => (
        <SavedAreaItem key={area.id} area={area} />
      ))}
    </ul>
  );
}

function ImportButton() {
  const { state, take } = useTaking();
  return (
    <>
      <FileButton
        label={text("saved.import")}
        accept=".tar,application/x-tar"
        isDisabled={isTaking(state.value)}
        onFiles={([file]) => {
          if (file) void take(file.name, (onProgress, signal) => takeIn(file, onProgress, signal));
        }}
      />
      <TakingNote taking={state.value} />
    </>
  );
}

/** How much storage is used, and whether the browser may delete it by itself. */
function StorageUse() {
  if (!overview.value) return null;
  const { areaBytes, seenBytes, usedBytes, quotaBytes } = overview.value;
  return (
    <footer class="quiet area-storage">
      {savedAreas.value.length > 0 && isKeptForGood.value === false && <p>{text("saved.volatile")}</p>}
      <p>{text("saved.storage", { areas: formatBytes(areaBytes), seen: formatBytes(seenBytes) })}</p>
      {usedBytes !== undefined && quotaBytes !== undefined && (
        <p>{text("saved.quota", { used: formatBytes(usedBytes), quota: formatBytes(quotaBytes) })}</p>
      )}
    </footer>
  );
}

/** Files of areas that the site offers. Nothing if it offers none, or offline. */
function ReadyPacks() {
  const listed = useAnswer((signal) => (isOnline.value ? remote("packs", undefined, signal) : undefined));
  const { state, take } = useTaking();
  if (!listed) return null;
  if ("error" in listed) return <p role="alert">{text("saved.failed", { reason: reasonOf(listed.error) })}</p>;
  const packs = listed.value;
  if (packs.length === 0) return pageState.value.isAtPacks ? <p>{text("packs.none")}</p> : null;
  return (
    <section class="ready-packs">
      <h3>{text("packs.title")}</h3>
      <ul aria-label={text("packs.title")}>
        {packs.map((pack) => (
          <li key={pack.file}>
            <span dir="auto">{pack.name}</span>
            <span class="quiet">
              {[formatBytes(pack.bytes), releaseText(pack.release)].filter(Boolean).join(" · ")}
            </span>
            <button
              type="button"
              aria-label={text("packs.take", { name: pack.name })}
              disabled={isTaking(state.value)}
              onClick={() => void take(pack.name, (onProgress, signal) => takeIn(pack, onProgress, signal))}
            >
              {text("export.save")}
            </button>
            <details>
              <summary class="quiet">SHA-256</summary>
              <code class="quiet">{pack.sha256}</code>
            </details>
          </li>
        ))}
      </ul>
      <TakingNote taking={state.value} />
    </section>
  );
}
