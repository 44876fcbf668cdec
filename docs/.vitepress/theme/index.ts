import type { Theme } from "vitepress";
// The fonts of the reader's system: no font is loaded.
import DefaultTheme from "vitepress/theme-without-fonts";
import { LiveMap } from "./live-map.ts";
import "./live-map.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component("LiveMap", LiveMap);
  },
} satisfies Theme;
