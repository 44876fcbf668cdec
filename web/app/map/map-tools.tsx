import type { ComponentChildren } from "preact";
import { text } from "../text/index.ts";
import type { DrawnAreaKind } from "./draw-area.ts";

interface MapToolsProps {
  readonly drawing: DrawnAreaKind | undefined;
  /** Starts to draw an area, or cancels if the same kind is being drawn. */
  readonly onDraw: (kind: DrawnAreaKind) => void;
  /** Searches the visible part of the map; undefined hides its button. */
  readonly onArea: (() => void) | undefined;
  readonly onCentre: () => void;
  readonly isSolid: boolean;
  /** Shows buildings as solids, or flat again. */
  readonly onSolid: () => void;
  /** Legend of the colours of buildings. */
  readonly legend: ComponentChildren;
  /** Selects a column that colours the results. */
  readonly colours: ComponentChildren;
  /** Called with true when the pointer enters the button of `onCentre`, and with false when it leaves. */
  readonly onCentrePointer: (isHere: boolean) => void;
}

/**
 * Buttons on the map: search in its middle (for keyboards and touch), draw an area, show buildings as solids, search the visible
 * part.
 */
export function MapTools(props: MapToolsProps) {
  const { drawing, onDraw, onArea, onCentre, onCentrePointer, isSolid, onSolid, legend, colours } = props;
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
        <button
          type="button"
          class="solid-button"
          title={text("map.solid")}
          aria-label={text("map.solid")}
          aria-pressed={isSolid}
          onClick={onSolid}
        >
          3D
        </button>
      </div>
      {legend}
      {colours}
      {onArea && !drawing && (
        <button type="button" class="area-button" onClick={onArea}>
          {text("map.area")}
        </button>
      )}
      <div class={drawing ? "map-hint" : "visually-hidden"} aria-live="polite">
        {drawing && (
          <>
            {text(drawing === "box" ? "area.hint.box" : "area.hint.polygon")}{" "}
            <button type="button" onClick={() => onDraw(drawing)}>
              {text("area.cancel")}
            </button>
          </>
        )}
      </div>
    </div>
  );
}
