/** The REST reference, with every request to try. On a static host it waits for the service worker, which answers. @module */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { controlledBy, serviceWorkerAddress } from "../../hosts/browser/protocol/index.ts";
import { nameFields, pathAsText } from "./accessible.ts";
import { withEmptyFields, withoutEmptyParameters } from "./fields.ts";
import "swagger-ui-dist/swagger-ui.css";
import "./reference.css";
import { followTheme } from "./theme.ts";

followTheme();
const reference = document.getElementById("reference");
if (reference) nameFields(reference);

const base = new URL("../", location.href);
const openapi = new URL("openapi.json", base).href;

/** Resolves when this page's requests go through the service worker, or when there can be none. */
async function serviceWorkerReady(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const script = serviceWorkerAddress(base);
  await navigator.serviceWorker.register(script);
  await controlledBy(script);
}

// a private window may refuse; a host that answers REST addresses itself still does
await serviceWorkerReady().catch(() => {});
SwaggerUI({
  url: openapi,
  // both are objects of the component's own, which it changes further
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
  // colours for a thousand records take minutes
  syntaxHighlight: { activated: false },
});
