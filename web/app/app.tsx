import "./styles/areas.css";
import { useCallback, useEffect, useState } from "preact/hooks";
import { DropZone } from "./files/index.ts";
import { Footer, Header, OpenPanel, PanelEdge, Sheet, ShopTitle } from "./layout/index.ts";
import { Attribution, MapView, removeFirstLand } from "./map/index.ts";
import { Detail, RecordAlone } from "./record/index.ts";
import { EmptyState } from "./results/empty-state.tsx";
import { ResultList } from "./results/result-list.tsx";
import { Status } from "./results/status.tsx";
import { SaveOffer } from "./saved-areas/index.ts";
import { CategoryChips, SearchForm } from "./search/index.ts";
import { newVersion, takeOver } from "./service-worker.ts";
import { found, hasTools, isSearching, type Problem, pageState, problem, retry, selected } from "./state/index.ts";
import { text } from "./text/index.ts";

function hasWebGl(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  // browsers have few contexts
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

/** The page. */
export function App() {
  // Without WebGL2 only the list is shown, from the first frame on. Asked after the first search was sent, because the answer
  // may block.
  const [canDraw, setCanDraw] = useState(hasWebGl);
  const standAlone = useCallback(() => setCanDraw(false), []);
  useEffect(() => {
    if (!canDraw) removeFirstLand();
  }, [canDraw]);
  return (
    <>
      <SkipLink />
      <Header />
      {canDraw && <MapView onUnavailable={standAlone} />}
      <CategoryChips />
      {canDraw && <PanelEdge />}
      <Sheet isAlone={!canDraw}>
        <ShopTitle />
        <SearchForm />
        <Status />
        <main class="panel-body" tabIndex={-1} aria-label={text("results.list")}>
          {!canDraw && <p class="hint">{text("app.noMap")}</p>}
          {problem.value ? <ProblemNote problem={problem.value} /> : <Content />}
        </main>
        {!canDraw && <Attribution />}
        {hasTools && <Footer />}
      </Sheet>
      <OpenPanel />
      {hasTools && <DropZone />}
      <NewVersion />
    </>
  );
}

/** Moves the focus to the content. A button instead of a link, because the hash of the URL is the search. */
function SkipLink() {
  return (
    <button
      type="button"
      class="skip-link"
      onClick={() => document.querySelector<HTMLElement>("main.panel-body")?.focus()}
    >
      {text("app.skip")}
    </button>
  );
}

function Content() {
  const { alone } = pageState.value;
  if (alone) return <RecordAlone alone={alone} />;
  if (selected.value) return <Detail record={selected.value} />;
  if (found.value) return <ResultList found={found.value} />;
  return isSearching.value ? null : <EmptyState />;
}

/** Announces a new version of the program, and lets the user switch to it. */
function NewVersion() {
  if (!newVersion.value) return null;
  return (
    <div class="new-version" role="status">
      <span>{text("version.ready")}</span>
      <button type="button" class="primary" onClick={takeOver}>
        {text("version.reload")}
      </button>
    </div>
  );
}

/** Shows an error and what to do about it. */
function ProblemNote({ problem }: { problem: Problem }) {
  return (
    <div class="note is-problem" role="alert">
      <h2>{problem.title}</h2>
      {problem.isMissingFile && pageState.value.search && <SaveOffer search={pageState.value.search} />}
      {problem.lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {problem.detail !== undefined && (
        <details>
          <summary>{text("problem.detail")}</summary>
          <p dir="auto">{problem.detail}</p>
        </details>
      )}
      <button type="button" class="primary" onClick={retry}>
        {text(problem.isReplaced ? "pager.first" : "problem.retry")}
      </button>
    </div>
  );
}
