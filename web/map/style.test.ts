import { expect, test } from "vitest";
import { palette } from "./palette.ts";
import { resultSources } from "./result-layers.ts";
import { mapStyle } from "./style.ts";

test.each([true, false])("before tiles load, the base map is plain land without water: dark %s", (isDark) => {
  for (const isMuted of [true, false]) {
    const colour = palette(isDark, isMuted);
    const { layers } = mapStyle({ isDark, isMuted, language: "en", tileUrl: (map) => `${map}/{z}/{x}/{y}` });
    expect(layers[0]).toMatchObject({ type: "background", paint: { "background-color": colour.land } });
    expect(layers.filter(({ type }) => type === "background")).toHaveLength(1);
    expect(colour.land).not.toBe(colour.water);
  }
});

test("circle, results and marks need no tile", () => {
  const style = mapStyle({ isDark: false, language: "en", tileUrl: (map) => map });
  for (const name of Object.keys(resultSources())) expect(style.sources[name]).toMatchObject({ type: "geojson" });
});
