import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import type { Search } from "../address/index.ts";
import { dataset } from "../state/index.ts";
import { text } from "../text/index.ts";
import type { ChangesProps } from "./changed-records.tsx";

/** What changed around the centre since each of the older releases that the dataset keeps: read when it is opened. */
export function WhatChanged({ search }: { search: Search }) {
  return dataset.value?.kept.map((release) => <Since key={release} search={search} release={release} />);
}

function Since({ search, release }: ChangesProps) {
  const isOpen = useSignal(false);
  return (
    <details
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>{text("changes.title", { release })}</summary>
      {isOpen.value && <Loaded search={search} release={release} />}
    </details>
  );
}

/** What shows changes is no part of a first visit. */
function Loaded(props: ChangesProps) {
  const loaded = useSignal<{ readonly Records: FunctionComponent<ChangesProps> } | "failed" | undefined>(undefined);
  useEffect(() => {
    import("./changed-records.tsx").then(
      ({ ChangedRecords }) => {
        loaded.value = { Records: ChangedRecords };
      },
      () => {
        loaded.value = "failed";
      },
    );
  }, []);
  if (loaded.value === "failed") return <p class="fault">{text("here.failed")}</p>;
  if (!loaded.value) return <p class="quiet">{text("status.searching")}</p>;
  const { Records } = loaded.value;
  return <Records {...props} />;
}
