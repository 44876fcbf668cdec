/**
 * `<LiveMap path="places" lat="43.7347" lng="7.4206" radius="300" />` in a page: a `<cairn-map>` over the sample, with its
 * markup below.
 * @module
 */
import { withBase } from "vitepress";
import { defineComponent, h, onMounted, ref } from "vue";

/** Path from the base of the docs to the folder with `embed/` and `dataset/`. */
declare const __CAIRN_LIVE__: string;

export const LiveMap = defineComponent({
  inheritAttrs: false,
  setup(_, { attrs }) {
    const site = ref("");
    const failure = ref("");
    onMounted(async () => {
      const url = new URL(__CAIRN_LIVE__, new URL(withBase("/"), location.href));
      try {
        await import(/* @vite-ignore */ new URL("embed/cairn-map.js", url).href);
        site.value = url.href;
      } catch {
        failure.value = "The map's script could not be loaded. Reload the page to try again.";
      }
    });
    const markup = Object.entries(attrs).map(([name, value]) => ` ${name}="${value}"`);
    return () =>
      h("figure", { class: "live-map" }, [
        site.value === ""
          ? h("div", { class: "live-map-space" })
          : h("cairn-map", { ...attrs, src: `${site.value}dataset/` }),
        failure.value === ""
          ? h("figcaption", h("code", `<cairn-map src="…"${markup.join("")}>`))
          : h("figcaption", { role: "status" }, failure.value),
      ]);
  },
});
