import { useRef } from "preact/hooks";

interface Props {
  readonly label: string;
  /** The file types in the browser's dialog. */
  readonly accept: string;
  readonly class?: string;
  readonly isDisabled?: boolean;
  readonly takesSeveral?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Opens the browser's file dialog. */
export function FileButton({ label, accept, class: own, isDisabled, takesSeveral, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={own} disabled={isDisabled} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={takesSeveral}
        class="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </>
  );
}
