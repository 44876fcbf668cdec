import { useSignal } from "@preact/signals";
import type { Search } from "../address/index.ts";
import { dataset, networkState } from "../state/index.ts";
import { pathText, reasonOf, text } from "../text/index.ts";
import { areNamesSaved, collectionsKept, extentName, extentOf } from "./area-choice.ts";
import { addArea } from "./saved-areas.ts";

const MESSAGES = { off: "saved.missingOffline", silent: "saved.missingSilent" } as const;

/** Offers to save the area of a search for offline use, after the search could not be answered offline. */
export function SaveOffer({ search }: { search: Search }) {
  const isAsked = useSignal(false);
  const fault = useSignal<string | undefined>(undefined);
  const shape = extentOf(search);
  if (!shape) return null;
  const present = new Set(dataset.value?.collections.map(({ name }) => name));
  const collections = collectionsKept(search.path).filter((name) => present.has(name));
  const where = extentName(shape);
  const what = pathText(search.path);
  const state = networkState.value;
  const message = state === "off" || state === "silent" ? MESSAGES[state] : "saved.missing";
  return (
    <>
      <p>{text(message, { what, where })}</p>
      {fault.value !== undefined && <p>{text("saved.failed", { reason: fault.value })}</p>}
      {isAsked.value ? (
        <p role="status">{text("saved.willSave", { where })}</p>
      ) : (
        <button
          type="button"
          onClick={() => {
            const hasNames = shape.kind === "country" || areNamesSaved(collections, dataset.value);
            const choice = { shape, collections, hasNames, hasBaseMap: true };
            isAsked.value = true;
            fault.value = undefined;
            addArea(where, choice).catch((error: unknown) => {
              isAsked.value = false;
              fault.value = reasonOf(error);
            });
          }}
        >
          {text("saved.saveWhenOnline")}
        </button>
      )}
    </>
  );
}
