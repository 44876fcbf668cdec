/** The text file next to an export: its sources and their licences. @module */
import type { Attribution } from "../../../data/format/manifest.ts";
import type { ExportResult } from "../../hosts/browser/protocol/index.ts";
import { onOneLine } from "../../search/index.ts";
import { text } from "../text/index.ts";

interface AttributionOptions {
  readonly fileName: string;
  /** URL of the search in the page. */
  readonly address: string;
  readonly release: string;
  readonly attribution: readonly Attribution[];
  readonly result: Pick<ExportResult, "records" | "sources" | "unnamed">;
  /** Date of the export, in the format of the user's language. */
  readonly date: string;
}

/** Returns the content of the file. The licence in the rows of a source precedes the licence in the manifest. */
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
