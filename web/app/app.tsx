import { signal } from "@preact/signals";
import { MapView } from "./map/map-view.tsx";
import { Detail } from "./panel/detail.tsx";
import { EmptyState } from "./panel/empty-state.tsx";
import { Footer } from "./panel/footer.tsx";
import { Header } from "./panel/header.tsx";
import { ProblemNote } from "./panel/problem-note.tsx";
import { ResultList } from "./panel/result-list.tsx";
import { SearchForm } from "./panel/search-form.tsx";
import { Sheet } from "./panel/sheet.tsx";
import { found, isSearching, problem, selected } from "./state/session.ts";

/** Whether the browser can draw the map; without WebGL2 the list stands alone. */
const canDraw = signal(true);
const standAlone = () => {
  canDraw.value = false;
};

export function App() {
  return (
    <>
      {canDraw.value && <MapView onUnavailable={standAlone} />}
      <Sheet isAlone={!canDraw.value}>
        <Header />
        <SearchForm />
        <main class="panel-body" aria-label="Results">
          {!canDraw.value && (
            <p class="hint">This browser cannot draw the map (WebGL2 is off). The list works without it.</p>
          )}
          {problem.value ? <ProblemNote problem={problem.value} /> : <Content />}
        </main>
        <Footer />
      </Sheet>
    </>
  );
}

function Content() {
  if (selected.value) return <Detail record={selected.value} />;
  if (found.value) return <ResultList found={found.value} />;
  return isSearching.value ? null : <EmptyState />;
}
