/**
 * How much of the map the panel covers.
 * @module
 */

const MARGIN_PIXELS = 8;

/** Pixels on each side of the map that lie under the panel. */
export function panelPadding(container: HTMLElement): { top: number; left: number; right: number; bottom: number } {
  const free = { top: MARGIN_PIXELS, left: MARGIN_PIXELS, right: MARGIN_PIXELS, bottom: MARGIN_PIXELS };
  const panel = document.querySelector(".sheet")?.getBoundingClientRect();
  const map = container.getBoundingClientRect();
  if (!panel) return free;
  const isAtTheFoot = panel.width > map.width * 0.9;
  if (!isAtTheFoot) return { ...free, left: panel.right - map.left };
  // A full sheet leaves nothing to fit into: then the map is arranged for half of it.
  return { ...free, bottom: Math.min(map.bottom - panel.top, map.height * 0.6) };
}
