/** Returns the nearest scrolling ancestor, otherwise the element of the document. */
export function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let ancestor = element?.parentElement; ancestor; ancestor = ancestor.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(ancestor).overflowY)) return ancestor;
  }
  return document.documentElement;
}

/** Returns the distance of the element from the top of the scrolled content in pixels; 0 without an element. */
export function offsetWithin(element: HTMLElement | null, scroller: HTMLElement | null): number {
  if (!element || !scroller) return 0;
  const gap = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  return Math.round(gap + scroller.scrollTop - scroller.clientTop);
}
