/**
 * Draws lines over logarithmic axes as SVG, with panels side by side.
 * @module
 */
import { LineChart } from "echarts/charts";
import { GridComponent, LegendComponent, TitleComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([GridComponent, LegendComponent, LineChart, SVGRenderer, TitleComponent]);

export interface Panel {
  readonly title: string;
  /**
   * Lines by name, with points in order of x. Both coordinates are above 0. A line without points is not shown, but
   * keeps its style.
   */
  readonly lines: Readonly<Record<string, readonly (readonly [x: number, y: number])[]>>;
}

export interface PlotTitles {
  /** Title of the picture. */
  readonly whole: string;
  /** Title of the shared axis. */
  readonly x: string;
}

const [PANEL_WIDTH, HEIGHT] = [320, 300];
const MARGIN = { left: 60, right: 20, top: 70, bottom: 80 };

const COLOURS = ["#0a6e5c", "#c2571a", "#4a5fc1", "#8a8a8a"];
/** Identifies lines without colour. */
const SYMBOLS = ["circle", "triangle", "rect", "diamond"];

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 });

const LOG_AXIS = {
  type: "log",
  nameLocation: "middle",
  nameGap: 26,
  axisLabel: { formatter: (value: number) => compact.format(value) },
};

/** Draws panels in a row, with the names of the lines below. */
export function plot(panels: readonly Panel[], titles: PlotTitles): string {
  const names = [...new Set(panels.flatMap(({ lines }) => Object.keys(lines)))];
  const chart = init(null, null, { renderer: "svg", ssr: true, width: PANEL_WIDTH * panels.length, height: HEIGHT });
  try {
    const left = (index: number): number => PANEL_WIDTH * index + MARGIN.left;
    chart.setOption({
      animation: false,
      backgroundColor: "#fff",
      title: [
        { text: titles.whole, left: "center", textStyle: { fontSize: 15 } },
        ...panels.map(({ title }, index) => ({ text: title, left: left(index), top: 34, textStyle: { fontSize: 12 } })),
      ],
      color: COLOURS,
      legend: {
        bottom: 4,
        data: names.filter((name) => panels.some(({ lines }) => (lines[name]?.length ?? 0) > 0)),
      },
      grid: panels.map((_, index) => ({
        ...MARGIN,
        left: left(index),
        right: undefined,
        width: PANEL_WIDTH - MARGIN.left - MARGIN.right,
      })),
      xAxis: panels.map((_, gridIndex) => ({ ...LOG_AXIS, gridIndex, name: titles.x })),
      yAxis: panels.map((_, gridIndex) => ({ ...LOG_AXIS, gridIndex })),
      series: panels.flatMap(({ lines }, index) =>
        Object.entries(lines).map(([name, points]) => ({
          type: "line",
          name,
          symbol: SYMBOLS[names.indexOf(name) % SYMBOLS.length],
          symbolSize: 7,
          data: points.map((point) => [...point]),
          xAxisIndex: index,
          yAxisIndex: index,
        })),
      ),
    });
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}
