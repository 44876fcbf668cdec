/** What Swagger's component lacks for those who hear the page or have no mouse. @module */

interface System {
  readonly React: { createElement(tag: string, props: null, ...children: readonly unknown[]): unknown };
}

/** A path is a link in a button there, and neither can be told from the other: here it is text, and the button opens it. */
export const pathAsText = (system: System) => ({
  wrapComponents: {
    DeepLink: () => (props: { readonly text?: unknown; readonly children?: unknown }) =>
      system.React.createElement("span", null, props.text ?? props.children),
  },
});

/** Gives lists of choices a name and what scrolls a place in the order of the Tab key, as they come. */
export function nameFields(root: HTMLElement): void {
  const name = () => {
    for (const select of root.querySelectorAll("select:not([aria-label])")) {
      const row = select.closest<HTMLElement>("[data-param-name]");
      select.setAttribute("aria-label", row?.dataset.paramName ?? (select.id === "servers" ? "Server" : "Media type"));
    }
    for (const block of root.querySelectorAll(
      "pre.microlight:not([tabindex]), .highlight-code > pre:not([tabindex])",
    )) {
      block.setAttribute("tabindex", "0");
    }
  };
  new MutationObserver(name).observe(root, { childList: true, subtree: true });
}
