import { text } from "../text/index.ts";

interface Props {
  /** Says which part is missing; by default "this part". */
  readonly title?: string;
  readonly onRetry: () => void;
}

/** Stands for a part of the page whose code could not be loaded, and offers another try. */
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
