/** A cross that closes or clears something; `label` names it. */
export function CloseButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} onClick={onClick}>
      <span class="icon is-close" />
    </button>
  );
}
