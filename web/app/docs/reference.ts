/**
 * The page of the REST reference, where every request can be tried. On a static host the service worker answers, so the page
 * waits for it. @module
 */
import "swagger-ui-dist/swagger-ui.css";
import "./reference.css";
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { controlledBy, serviceWorkerAddress } from "../../hosts/browser/protocol/index.ts";
import { withEmptyFields, withoutEmptyParameters } from "./fields.ts";

interface System {
  readonly React: { createElement(tag: string, props: null, ...children: readonly unknown[]): unknown };
}

/**
 * Plugin for Swagger. Swagger puts a link into a button, and users cannot tell one from the other: here the path is text, and the
 * button opens it.
 */
const pathAsText = (system: System) => ({
  wrapComponents: {
    DeepLink: () => (props: { readonly text?: unknown; readonly children?: unknown }) =>
      system.React.createElement("span", null, props.text ?? props.children),
  },
});

/** Gives an accessible name to lists of choices, and makes scrollable areas reachable by Tab, whenever Swagger adds them. */
function nameFields(root: HTMLElement): void {
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

/** Where the page of the map stores the theme. */
const THEME_KEY = "cairn-theme";

followTheme();
const reference = document.getElementById("reference");
if (reference) nameFields(reference);

const base = new URL("../", location.href);
const openapi = new URL("openapi.json", base).href;

/** Resolves when requests of this page go through the service worker, or at once where there are no service workers. */
async function serviceWorkerReady(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const script = serviceWorkerAddress(base);
  await navigator.serviceWorker.register(script);
  await controlledBy(script);
}

// a private window may refuse; a host that answers REST requests itself still works
await serviceWorkerReady().catch(() => {});
SwaggerUI({
  url: openapi,
  // both are objects of Swagger, which it changes later
  responseInterceptor(response) {
    if (response.ok && response.url === openapi) response.text = withEmptyFields(String(response.text));
    return response;
  },
  requestInterceptor(request) {
    request.url = withoutEmptyParameters(request.url);
    return request;
  },
  dom_id: "#reference",
  plugins: [pathAsText],
  validatorUrl: null,
  tryItOutEnabled: true,
  deepLinking: true,
  docExpansion: "list",
  // highlighting a thousand records takes minutes
  syntaxHighlight: { activated: false },
});

function followTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    const theme = chosen();
    // the class is Swagger's own
    document.documentElement.classList.toggle("dark-mode", theme === "system" ? system.matches : theme === "dark");
  };
  system.addEventListener("change", show);
  addEventListener("storage", show);
  show();
}

/** Returns the theme that the user chose. Without storage, `system`. */
function chosen(): string {
  try {
    return localStorage.getItem(THEME_KEY) ?? "system";
  } catch {
    return "system";
  }
}
