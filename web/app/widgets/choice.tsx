interface Props {
  readonly type: "radio" | "checkbox";
  readonly class: string;
  /** For radio buttons of one group. */
  readonly name?: string;
  readonly label: string;
  readonly hint?: string;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

/** A line with a radio button or checkbox. */
export function Choice({ type, class: own, name, label, hint, isChosen, onChange }: Props) {
  return (
    <label class={own}>
      <input type={type} name={name} checked={isChosen} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint && <span class="quiet"> {hint}</span>}
      </span>
    </label>
  );
}
