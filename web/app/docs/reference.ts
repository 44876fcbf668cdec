/**
 * The REST reference, with every request to try. On a static host the service worker answers, so it is waited for.
 * @module
 */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { withEmptyFields, withoutEmptyParameters } from "./fields.ts";
import "swagger-ui-dist/swagger-ui.css";
import "./reference.css";

const base = new URL("../", location.href);
const openapi = new URL("openapi.json", base).href;

/** Resolves when this page's requests go through the service worker, or when there can be none. */
async function serviceWorkerReady(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(new URL("service-worker.js", base));
  await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller) return;
  await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
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
  validatorUrl: null,
  tryItOutEnabled: true,
  deepLinking: true,
  docExpansion: "list",
  // colours for a thousand records take minutes
  syntaxHighlight: { activated: false },
});
