/** The sign of the product, which leads home. */
export function Brand() {
  return (
    <a class="brand" href="/admin">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--sign)" />
        <circle cx="14" cy="14" r="7" fill="none" stroke="var(--on-sign)" stroke-width="3.2" />
        <path d="m19.5 19.5 6 6" stroke="var(--on-sign)" stroke-width="3.6" stroke-linecap="round" />
      </svg>
      Fossick
    </a>
  );
}
