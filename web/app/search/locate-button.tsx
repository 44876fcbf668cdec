import { useSignal, useSignalEffect } from "@preact/signals";
import { changeSearch, chosenLocation, found, isShop, readerLocation } from "../state/index.ts";
import { type MessageKey, text } from "../text/index.ts";
import { CloseButton } from "../widgets/index.ts";

/** Longest wait for a position. A phone needs less outdoors. */
const TIMEOUT_MS = 15_000;
/** Age up to which a known position is used. */
const MAXIMUM_AGE_MS = 60_000;

type Locating = "idle" | "asking" | MessageKey;

/** A button that searches around the user. Only the click makes the browser ask for permission. */
export function LocateButton() {
  const state = useSignal<Locating>("idle");
  const locate = () => {
    if (!navigator.geolocation) {
      state.value = "locate.unavailable";
      return;
    }
    state.value = "asking";
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        state.value = "idle";
        const centre = { lat: coords.latitude, lon: coords.longitude };
        readerLocation.value = centre;
        chosenLocation.value = { name: undefined, isReader: true, centre, country: undefined, bbox: undefined };
        changeSearch({ centre, country: undefined });
      },
      ({ code, PERMISSION_DENIED, TIMEOUT }: GeolocationPositionError) => {
        if (code === PERMISSION_DENIED) state.value = "locate.denied";
        else state.value = code === TIMEOUT ? "locate.timeout" : "locate.unavailable";
      },
      { timeout: TIMEOUT_MS, maximumAge: MAXIMUM_AGE_MS, enableHighAccuracy: false },
    );
  };
  const isFault = state.value !== "idle" && state.value !== "asking";
  // an error is obsolete after another location was chosen
  useSignalEffect(() => {
    if (found.value && state.peek() !== "asking") state.value = "idle";
  });
  return (
    <>
      <button
        type="button"
        class={isShop ? "near-button" : "icon-button"}
        aria-label={isShop ? undefined : text("locate.open")}
        title={text("locate.open")}
        aria-busy={state.value === "asking"}
        onClick={locate}
      >
        <span class="icon is-locate" />
        {isShop && text("shop.near")}
      </button>
      {isFault && (
        <p class="bar-note" role="alert">
          {text(state.value as MessageKey)}{" "}
          <CloseButton
            label={text("note.close")}
            onClick={() => {
              state.value = "idle";
            }}
          />
        </p>
      )}
    </>
  );
}
