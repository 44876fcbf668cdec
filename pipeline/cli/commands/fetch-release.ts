import type { OvertureType } from "../../../data/format/collections.ts";
import type { AskedArea } from "../../overture/area/index.ts";
import { datasetSize, type Extract, type ExtractPlan, getExtract, parseMirror } from "../../overture/get/index.ts";
import { formatBytes, formatCount } from "../figures.ts";
import type { ReleaseArguments } from "../options.ts";
import type { Output } from "../output.ts";
import { withTransfers } from "../progress.ts";

interface FetchReleaseOptions extends ReleaseArguments {
  readonly out: string;
  readonly area: AskedArea;
  readonly types?: OvertureType[] | undefined;
  readonly release?: string | undefined;
  readonly since?: string | undefined;
  readonly isPlanOnly?: boolean | undefined;
  readonly isReplacing?: boolean | undefined;
  readonly output: Output;
}

/**
 * Downloads an extract (the rows of an area of an Overture release), and prints its plan and summary. Returns the
 * content of `extract.json`, or undefined if `isPlanOnly` and something is left to download. Throws as `getExtract`
 * does.
 */
export async function fetchRelease({ from, output, ...options }: FetchReleaseOptions): Promise<Extract | undefined> {
  let planned: ExtractPlan | undefined;
  const extract = await withTransfers("fetched", async ({ tell, say }) =>
    getExtract({
      ...options,
      mirror: parseMirror(from, process.env),
      onPlan: (plan, isGoingOn) => {
        planned = plan;
        for (const line of describePlan(plan, isGoingOn)) output.say(line);
      },
      onProgress: tell,
      onNotice: (message) => say(`cairn: ${message}`),
    }),
  );
  if (extract) output.say(`${planned ? "" : "nothing to fetch: "}${describeExtract(options.out, extract)}`);
  if (extract) output.result({ folder: options.out, is_fetched: planned !== undefined, ...jsonOfExtract(extract) });
  else if (planned) output.result(jsonOfPlan(planned));
  return extract;
}

function jsonOfExtract({ release, area: { label, bbox }, types }: Extract): object {
  return { release, area: { label, bbox }, types };
}

/** Returns the plan for `--json`. `rows` is an estimate from the boxes of row groups, `most_rows` an upper bound. */
function jsonOfPlan({ release, area: { label, bbox }, types, files }: ExtractPlan): object {
  const sumsOf = (type: string) => {
    const mine = files.filter((file) => file.type === type);
    const [row_groups, bytes] = [sum(mine, "groups"), sum(mine, "bytes")];
    return { files: mine.length, row_groups, bytes, rows: sum(mine, "estimate"), most_rows: sum(mine, "rows") };
  };
  return {
    release,
    area: { label, bbox },
    types: Object.fromEntries(types.map(({ type, license }) => [type, { license, ...sumsOf(type) }])),
  };
}

/** Returns lines for people: the release, one line per type, the sum, and the estimated size of the dataset. */
function describePlan({ release, area, types, files }: ExtractPlan, isGoingOn: boolean): string[] {
  const head = `${isGoingOn ? "resuming release" : "release"} ${release}, ${area.label}`;
  const lines = types.map(({ type, ofFiles, ofGroups }) => {
    const mine = files.filter((file) => file.type === type);
    const groups = sum(mine, "groups");
    const share = `${mine.length} of ${formatCount(ofFiles, "file")}, ${groups} of ${formatCount(ofGroups, "row group")} in files that intersect`;
    return `${type.padEnd(18)}${share}, ${formatBytes(sum(mine, "bytes"))}, about ${formatCount(sum(mine, "estimate"), "row")}`;
  });
  const all = `${formatCount(files.length, "file")}, ${formatCount(sum(files, "groups"), "row group")}`;
  const rows = `about ${formatCount(sum(files, "estimate"), "row")}, at most ${formatCount(sum(files, "rows"), "row")}`;
  const rowsOf = (member: "estimate" | "rows") =>
    new Map(
      types.map(({ type }) => [
        type,
        sum(
          files.filter((file) => file.type === type),
          member,
        ),
      ]),
    );
  const most = formatBytes(datasetSize(rowsOf("rows")).bytes);
  return [
    head,
    ...lines,
    `${"to fetch".padEnd(18)}${all}, ${formatBytes(sum(files, "bytes"))}, ${rows}`,
    `${"dataset".padEnd(18)}${describeDataset(rowsOf("estimate"))}, at most ${most}`,
  ];
}

/** Returns text with the estimated size of a dataset with these rows per type. */
function describeDataset(rows: ReadonlyMap<string, number>): string {
  const { bytes, unmeasured } = datasetSize(rows);
  const without = unmeasured.length > 0 ? ` without ${unmeasured.join(", ")}` : "";
  return `about ${formatBytes(bytes)} when built${without}`;
}

function sum<Key extends "groups" | "bytes" | "estimate" | "rows">(
  files: readonly Readonly<Record<Key, number>>[],
  member: Key,
): number {
  return Math.round(files.reduce((total, file) => total + file[member], 0));
}

function describeExtract(out: string, { release, types }: Extract): string {
  const all = Object.values(types);
  const total = (member: "rows" | "bytes"): number => all.reduce((so, type) => so + type[member], 0);
  const rows = new Map(Object.entries(types).map(([type, fetched]) => [type, fetched.rows]));
  const size = `${formatCount(total("rows"), "row")} of ${formatCount(all.length, "type")}, ${formatBytes(total("bytes"))}`;
  return `${out}: release ${release}, ${size}, ${describeDataset(rows)}`;
}
