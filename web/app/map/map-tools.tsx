import { text } from "../text/index.ts";
import type { DrawnAreaKind } from "./draw-area.ts";

interface MapToolsProps {
  readonly drawing: DrawnAreaKind | undefined;
  /** Begins to draw; stops when it is what is being drawn. */
  readonly onDraw: (kind: DrawnAreaKind) => void;
  /** Searches all that is seen; undefined when there is nothing to search anew. */
  readonly onArea: (() => void) | undefined;
  readonly onCentre: () => void;
  /** The pointer has come to the button of `onCentre`, or, with false, has gone again. */
  readonly onCentrePointer: (isHere: boolean) => void;
}

/** Buttons on the map: searching in its middle, for keyboards and for fingers that cover what they touch; drawing an area. */
export function MapTools({ drawing, onDraw, onArea, onCentre, onCentrePointer }: MapToolsProps) {
  const centre = text("map.centre");
  return (
    <div class="map-tools">
      <div class="map-buttons">
        <button
          type="button"
          class="centre-button"
          title={centre}
          aria-label={centre}
          onClick={onCentre}
          onPointerEnter={() => onCentrePointer(true)}
          onPointerLeave={() => onCentrePointer(false)}
        />
        {(["box", "polygon"] as const).map((kind) => {
          const label = text(kind === "box" ? "area.box" : "area.polygon");
          return (
            <button
              key={kind}
              type="button"
              class={`draw-button is-${kind}`}
              title={label}
              aria-label={label}
              aria-pressed={drawing === kind}
              onClick={() => onDraw(kind)}
            />
          );
        })}
      </div>
      {onArea && !drawing && (
        <button type="button" class="area-button" onClick={onArea}>
          {text("map.area")}
        </button>
      )}
      <p class={drawing ? "map-hint" : "visually-hidden"} aria-live="polite">
        {drawing && (
          <>
            {text(drawing === "box" ? "area.hint.box" : "area.hint.polygon")}{" "}
            <button type="button" onClick={() => onDraw(drawing)}>
              {text("area.cancel")}
            </button>
          </>
        )}
      </p>
    </div>
  );
}
