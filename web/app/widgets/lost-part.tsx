import { text } from "../text/index.ts";

interface Props {
  /** Says which part; left out, "this part". */
  readonly title?: string;
  readonly onRetry: () => void;
}

/** In the place of a part of the page that could not be loaded. */
export function LostPart({ title, onRetry }: Props) {
  return (
    <div class="lost-part" role="alert">
      <p>
        <strong>{title ?? text("panel.notLoaded")}</strong>
      </p>
      <p>{text("problem.connection")}</p>
      <button type="button" class="primary" onClick={onRetry}>
        {text("problem.retry")}
      </button>
    </div>
  );
}
