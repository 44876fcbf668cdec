/**
 * A button that searches around the middle of the map: for keyboards, and for fingers that cover what they touch.
 * @module
 */
import type { IControl } from "maplibre-gl";

export class CentreControl implements IControl {
  readonly #onClick: () => void;
  #element: HTMLElement | undefined;

  constructor(onClick: () => void) {
    this.#onClick = onClick;
  }

  onAdd(): HTMLElement {
    const group = document.createElement("div");
    group.className = "maplibregl-ctrl maplibregl-ctrl-group";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "centre-button";
    button.title = "Search the middle of the map";
    button.setAttribute("aria-label", button.title);
    button.addEventListener("click", this.#onClick);
    group.append(button);
    this.#element = group;
    return group;
  }

  onRemove(): void {
    this.#element?.remove();
  }
}
