/** `<cairn-map>` in Preact's JSX: use `import "cairn-map/preact"` instead of `cairn-map/map`. @module */
import type { HTMLAttributes } from "preact";
import type { CairnMapAttributes, CairnMapElement, CairnMapListeners } from "./element.ts";

export * from "./element.ts";

declare module "preact" {
  // biome-ignore lint/style/noNamespace: the library's own, extended
  namespace JSX {
    interface IntrinsicElements {
      "cairn-map": HTMLAttributes<CairnMapElement> & CairnMapAttributes & CairnMapListeners;
    }
  }
}
