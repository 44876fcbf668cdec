import { SaveOffer } from "../saved-areas/index.ts";
import { type Problem, pageState, retry } from "../state/index.ts";
import { text } from "../text/index.ts";

/** Shows an error and what to do about it. */
export function ProblemNote({ problem }: { problem: Problem }) {
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
