/** The file that goes with an export: its sources and their licences. @module */
import type { Attribution } from "../../../data/format/manifest.ts";
import type { ExportResult } from "../../hosts/browser/protocol/index.ts";
import { text } from "../text/index.ts";

export interface AttributionOptions {
  /** Name of the exported file. */
  readonly fileName: string;
  /** The search as an address of the page. */
  readonly address: string;
  readonly release: string;
  /** What the dataset's manifest says of the datasets it was made from. */
  readonly attribution: readonly Attribution[];
  readonly result: Pick<ExportResult, "records" | "sources" | "unnamed">;
  /** In the reader's way. */
  readonly date: string;
}

/** The text of the file. What the rows say of their licence comes before what the manifest says. */
export function attributionText(options: AttributionOptions): string {
  const { fileName, address, release, attribution, result, date } = options;
  const { records, sources, unnamed } = result;
  const known = new Map(attribution.map((line) => [line.dataset, line]));
  const blocks = sources.map(({ dataset, license, records: count }) => {
    const line = known.get(dataset);
    return [
      onOneLine(line?.text ?? dataset),
      `  ${onOneLine(dataset)}: ${text("export.attribution.records", { records: count })}`,
      `  ${text("export.attribution.license")}: ${onOneLine(license ?? line?.license ?? text("export.attribution.noLicense"))}`,
      ...(line?.url ? [`  ${text("export.attribution.link")}: ${line.url}`] : []),
    ];
  });
  const head = [
    text("export.attribution.title", { file: fileName }),
    "",
    text("export.attribution.made", { date, release, records }),
    `${text("export.attribution.search")}: ${address}`,
    text("export.attribution.several"),
  ];
  const rest = unnamed > 0 ? [[text("export.attribution.none", { records: unnamed })]] : [];
  return `${[head, ...blocks, ...rest].map((block) => block.join("\n")).join("\n\n")}\n`;
}

/** What rows say cannot add lines of its own, nor turn the direction of others. */
function onOneLine(said: string): string {
  return said.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
