/** Returns the nearest ancestor that scrolls, otherwise the root element of the document. */
export function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let ancestor = element?.parentElement; ancestor; ancestor = ancestor.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(ancestor).overflowY)) return ancestor;
  }
  return document.documentElement;
}

/**
 * Returns how far the element is below the top of the content that `scroller` scrolls, in pixels; 0 if one of them is missing.
 */
export function offsetWithin(element: HTMLElement | null, scroller: HTMLElement | null): number {
  if (!element || !scroller) return 0;
  const gap = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  return Math.round(gap + scroller.scrollTop - scroller.clientTop);
}
