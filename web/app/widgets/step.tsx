const PATHS = {
  back: "M9 3 5 8l4 5",
  forward: "M7 3l4 5-4 5",
  first: "M7 3 3 8l4 5M12 3 8 8l4 5",
  last: "M4 3l4 5-4 5M9 3l4 5-4 5",
};

interface Props {
  readonly label: string;
  readonly kind: keyof typeof PATHS;
  readonly isOff: boolean;
  readonly onClick: () => void;
  /** Called when the pointer enters or leaves. */
  readonly onPointer?: (isHere: boolean) => void;
}

/** A button with an arrow: one step, or to the end. It keeps the focus when there is no step left. */
export function Step({ label, kind, isOff, onClick, onPointer }: Props) {
  return (
    <button
      type="button"
      class="step"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      tabIndex={isOff ? -1 : 0}
      onClick={() => {
        if (!isOff) onClick();
      }}
      onPointerEnter={() => onPointer?.(!isOff)}
      onPointerLeave={() => onPointer?.(false)}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path
          d={PATHS[kind]}
          fill="none"
          stroke="currentcolor"
          stroke-width="2"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
    </button>
  );
}
