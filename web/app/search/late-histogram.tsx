import type { FunctionComponent } from "preact";
import { loadPart } from "../../hosts/browser/parts/index.ts";
import { text } from "../text/index.ts";
import { LostPart, Unfold, useRetried } from "../widgets/index.ts";
import type { HistogramProps } from "./histogram.tsx";

/** The histogram of a column. Its code is loaded when it is opened. */
export function LateHistogram(props: HistogramProps) {
  return <Unfold title={text("filter.histogram")}>{() => <Loaded {...props} />}</Unfold>;
}

function Loaded(props: HistogramProps) {
  const { answer, retry } = useRetried(async (): Promise<FunctionComponent<HistogramProps>> => {
    const { Histogram } = await loadPart(() => import("./histogram.tsx"));
    return Histogram;
  });
  if (!answer) return null;
  if ("error" in answer) return <LostPart onRetry={retry} />;
  const Histogram = answer.value;
  return <Histogram {...props} />;
}
