/** How much of the map the panels and the bar at the top cover. @module */
const MARGIN_PIXELS = 8;
/** Margin between a box and the edge of the part that no panel covers. */
const FIT_MARGIN_PIXELS = 40;

/** Pixels on each side of the map. */
export interface Padding {
  readonly top: number;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns the padding, in pixels, with which MapLibre fits a box into the part that no panel covers. */
export function fitPadding(container: HTMLElement): Padding {
  return withMargin(panelPadding(container));
}

/** Sizes in `tokens.css` and `layout.css`, in pixels, and the share of the height that the sheet of a phone has. */
const PANEL_PIXELS = 400;
const PANEL_EDGE_PIXELS = 16;
const BAR_PIXELS = 56;
const MOST_PHONE_WIDTH = 640;
const SHEET_SHARE = 0.6;

/** Returns the padding that `fitPadding` will return once the start page has its panel and its bar. */
export function startPadding(width: number, height: number): Padding {
  const free = MARGIN_PIXELS;
  return withMargin(
    width > MOST_PHONE_WIDTH
      ? { top: free, left: PANEL_EDGE_PIXELS + PANEL_PIXELS, right: free, bottom: free }
      : { top: free + BAR_PIXELS, left: free, right: free, bottom: height * SHEET_SHARE },
  );
}

function withMargin({ top, left, right, bottom }: Padding): Padding {
  const margin = FIT_MARGIN_PIXELS;
  return { top: top + margin, left: left + margin, right: right + margin, bottom: bottom + margin };
}

/**
 * Returns how many pixels are covered on each side of the map: by a panel next to it and the panel of the menu, or by a
 * panel at the foot (at most 60 % of the height) and the bar at the top. A free side has 8.
 */
export function panelPadding(container: HTMLElement): Padding {
  const free = { top: MARGIN_PIXELS, left: MARGIN_PIXELS, right: MARGIN_PIXELS, bottom: MARGIN_PIXELS };
  const panel = restingBox(document.querySelector(":root:not([data-panel]) .sheet"));
  const map = container.getBoundingClientRect();
  if (!panel) return free;
  const isAtTheFoot = panel.width > map.width * 0.9;
  if (!isAtTheFoot) {
    const beside = document.querySelector(".panel-frame.is-beside[open]")?.getBoundingClientRect();
    let { left, right } = free;
    for (const card of beside ? [panel, beside] : [panel]) {
      // The panel is at the start side, a panel of the menu at the other.
      if (card.left - map.left > map.right - card.right) right = map.right - card.left;
      else left = card.right - map.left;
    }
    return { ...free, left, right };
  }
  const bar = document.querySelector(".bar")?.getBoundingClientRect();
  // A full sheet leaves no free area: the map is arranged for half of it.
  const bottom = Math.min(map.bottom - panel.top, map.height * SHEET_SHARE);
  return { ...free, top: bar ? bar.bottom - map.top : free.top, bottom };
}

/** Returns the box of the element as it will be after its transition. The element grows from the bottom of the page. */
function restingBox(element: Element | null): DOMRect | undefined {
  const box = element?.getBoundingClientRect();
  const effects = element?.getAnimations().map(({ effect }) => effect) ?? [];
  const heights = effects.flatMap((effect) => (effect instanceof KeyframeEffect ? effect.getKeyframes() : []));
  const height = Number.parseFloat(String(heights.at(-1)?.height));
  return box && height > 0 ? new DOMRect(box.x, box.bottom - height, box.width, height) : box;
}
