import { loadPart } from "../../hosts/browser/parts/index.ts";
import type { Search } from "../address/index.ts";
import { dataset } from "../state/index.ts";
import { formatRelease, text } from "../text/index.ts";
import type { ChangesProps } from "./changed-records.tsx";
import { LostPart } from "./lost-part.tsx";
import { Unfold } from "./unfold.tsx";
import { useRetried } from "./use-answer.ts";

/** For each older release of the dataset, the changes since then in the circle of the search. Read when opened. */
export function WhatChanged({ search }: { search: Search }) {
  return dataset.value?.kept.map((release) => (
    <Unfold key={release} title={titleOf(release)}>
      {() => <Loaded search={search} release={release} />}
    </Unfold>
  ));
}

function titleOf(name: string): string {
  const release = formatRelease(name);
  return release === undefined ? text("changes.older") : text("changes.title", { release });
}

/** Loads the code that lists changes, which the first visit does not need, and shows the list. */
function Loaded(props: ChangesProps) {
  const { answer: loaded, retry } = useRetried(() => loadPart(() => import("./changed-records.tsx")));
  if (!loaded) return <p class="quiet">{text("status.searching")}</p>;
  if ("error" in loaded) return <LostPart onRetry={retry} />;
  const { ChangedRecords } = loaded.value;
  return <ChangedRecords {...props} />;
}
