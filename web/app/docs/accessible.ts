/** Adds what Swagger's component lacks for screen readers and keyboards. @module */

interface System {
  readonly React: { createElement(tag: string, props: null, ...children: readonly unknown[]): unknown };
}

/** Swagger puts a link in a button, which cannot be distinguished: here the path is text, and the button opens it. */
export const pathAsText = (system: System) => ({
  wrapComponents: {
    DeepLink: () => (props: { readonly text?: unknown; readonly children?: unknown }) =>
      system.React.createElement("span", null, props.text ?? props.children),
  },
});

/** Names lists of choices, and makes scrollable areas reachable by Tab, as they are added. */
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
