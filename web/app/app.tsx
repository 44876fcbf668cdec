import { signal } from "@preact/signals";
import { DropZone } from "./files/drop-zone.tsx";
import { FileMatches } from "./files/file-matches.tsx";
import { Footer } from "./layout/footer.tsx";
import { Header } from "./layout/header.tsx";
import { OpenPanel } from "./layout/panels.tsx";
import { ProblemNote } from "./layout/problem-note.tsx";
import { Sheet } from "./layout/sheet.tsx";
import { MapView } from "./map/map-view.tsx";
import { NewVersion } from "./new-version.tsx";
import { Detail } from "./record/detail.tsx";
import { RecordAlone } from "./record/record-alone.tsx";
import { EmptyState } from "./results/empty-state.tsx";
import { ResultList } from "./results/result-list.tsx";
import { Status } from "./results/status.tsx";
import { SearchForm } from "./search/search-form.tsx";
import { found, isSearching, pageState, problem, selected } from "./state/session.ts";
import { text } from "./text/text.ts";

/** Whether the browser can draw the map; without WebGL2 the list stands alone. */
const canDraw = signal(true);
const standAlone = () => {
  canDraw.value = false;
};

export function App() {
  return (
    <>
      {canDraw.value && <MapView onUnavailable={standAlone} />}
      <Header />
      <Sheet isAlone={!canDraw.value}>
        <SearchForm />
        <Status />
        <FileMatches />
        <main class="panel-body" aria-label={text("app.results")}>
          {!canDraw.value && <p class="hint">{text("app.noMap")}</p>}
          {problem.value ? <ProblemNote problem={problem.value} /> : <Content />}
        </main>
        <Footer />
      </Sheet>
      <OpenPanel />
      <DropZone />
      <NewVersion />
    </>
  );
}

function Content() {
  const { alone } = pageState.value;
  if (alone) return <RecordAlone alone={alone} />;
  if (selected.value) return <Detail record={selected.value} />;
  if (found.value) return <ResultList found={found.value} />;
  return isSearching.value ? null : <EmptyState />;
}
