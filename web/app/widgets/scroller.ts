/** The nearest ancestor that scrolls. */
export function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let ancestor = element?.parentElement; ancestor; ancestor = ancestor.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(ancestor).overflowY)) return ancestor;
  }
  return document.documentElement;
}

/** How far below the upper edge of what the scroller scrolls the element begins. */
export function offsetWithin(element: HTMLElement | null, scroller: HTMLElement | null): number {
  if (!element || !scroller) return 0;
  const gap = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  return Math.round(gap + scroller.scrollTop - scroller.clientTop);
}
