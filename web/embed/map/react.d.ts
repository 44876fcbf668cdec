/** `<cairn-map>` in the JSX of React 18 and 19: use `import "cairn-map/react"` instead of `cairn-map/map`. @module */
import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { CairnMapAttributes, CairnMapElement, CairnMapListeners } from "./element.ts";

export * from "./element.ts";

declare module "react" {
  // biome-ignore lint/style/noNamespace: the library's own, extended
  namespace JSX {
    interface IntrinsicElements {
      "cairn-map": DetailedHTMLProps<HTMLAttributes<CairnMapElement>, CairnMapElement> &
        CairnMapAttributes &
        CairnMapListeners & { readonly class?: string };
    }
  }
}
