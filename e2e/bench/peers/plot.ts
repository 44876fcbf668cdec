/**
 * Lines over a logarithmic axis as SVG, one panel beside the other: as much of plotting as the growth reports need.
 * @module
 */

export interface Panel {
  readonly title: string;
  /** Names of the lines, with their points in order of x, which is above 0. */
  readonly lines: Readonly<Record<string, readonly (readonly [x: number, y: number])[]>>;
}

const [WIDTH, HEIGHT] = [300, 200];
const MARGIN = { left: 56, right: 16, top: 34, bottom: 40 };
const LEGEND_HEIGHT = 24;
/** Told apart without colour too, by their order at the right end. */
const COLOURS = ["#0a6e5c", "#c2571a", "#4a5fc1", "#8a8a8a"];

/** The panels in a row, below them the names of the lines. Both axes are logarithmic when `isLogY`. */
export function plot(panels: readonly Panel[], xTitle: string, isLogY = false): string {
  const names = [...new Set(panels.flatMap(({ lines }) => Object.keys(lines)))];
  const [width, height] = [WIDTH * panels.length, HEIGHT + LEGEND_HEIGHT];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...panels.map((panel, index) => {
      return `<g transform="translate(${index * WIDTH} 0)">${panelOf(panel, names, xTitle, isLogY)}</g>`;
    }),
    ...names.map((name, index) => {
      const at = `translate(${MARGIN.left + index * 150} ${HEIGHT + 10})`;
      return `<g transform="${at}"><path d="M0 0h18" stroke="${colour(index)}" stroke-width="2"/><text x="24" y="4">${escapeXml(name)}</text></g>`;
    }),
    "</svg>\n",
  ].join("\n");
}

function panelOf({ title, lines }: Panel, names: readonly string[], xTitle: string, isLogY: boolean): string {
  const points = Object.values(lines).flat();
  const xs = points.map(([x]) => x);
  const [minX, maxX] = [Math.min(...xs), Math.max(...xs)];
  const top = Math.max(...points.map(([, y]) => y)) * 1.1 || 1;
  const bottom = isLogY ? Math.max(1, Math.min(...points.map(([, y]) => y)) / 1.5) : 0;
  const part = (value: number, low: number, high: number): number => (high > low ? (value - low) / (high - low) : 0.5);
  const x = (value: number): number => {
    const inner = WIDTH - MARGIN.left - MARGIN.right;
    return round(MARGIN.left + part(Math.log(value), Math.log(minX), Math.log(maxX)) * inner);
  };
  const y = (value: number): number => {
    const inner = HEIGHT - MARGIN.top - MARGIN.bottom;
    const share = isLogY
      ? part(Math.log(Math.max(value, bottom)), Math.log(bottom), Math.log(top))
      : part(value, 0, top);
    return round(HEIGHT - MARGIN.bottom - share * inner);
  };
  const ticks = isLogY ? [bottom, Math.sqrt(bottom * top), top] : [0, top / 2, top];
  const shown = [...new Set(xs)];
  return [
    `<text x="${MARGIN.left}" y="18" font-weight="bold">${escapeXml(title)}</text>`,
    ...ticks.map((tick) => {
      const at = y(tick);
      return `<path d="M${MARGIN.left} ${at}H${WIDTH - MARGIN.right}" stroke="#ddd"/><text x="${MARGIN.left - 6}" y="${at + 4}" text-anchor="end">${short(tick)}</text>`;
    }),
    ...shown.map((tick) => {
      return `<text x="${x(tick)}" y="${HEIGHT - MARGIN.bottom + 14}" text-anchor="middle">${short(tick)}</text>`;
    }),
    `<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escapeXml(xTitle)}</text>`,
    ...Object.entries(lines).map(([name, line]) => {
      const stroke = colour(names.indexOf(name));
      const path = line.map(([px, py], index) => `${index === 0 ? "M" : "L"}${x(px)} ${y(py)}`).join("");
      const dots = line.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="2.5" fill="${stroke}"/>`).join("");
      return `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="2"/>${dots}`;
    }),
  ].join("");
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? "#000";
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function short(value: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 }).format(value);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
