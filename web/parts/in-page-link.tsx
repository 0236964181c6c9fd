import type { ComponentChildren } from 'preact';

type Props = {
  /** The same place as an address, for a new tab and for copying. */
  readonly href: string;
  readonly children: ComponentChildren;
  readonly onPick: () => void;
  readonly label?: string;
  readonly isCurrent?: boolean;
};

/** A link within the page: a plain click stays on it, any other does what the browser does with links. */
export function InPageLink({ href, children, onPick, label, isCurrent }: Props) {
  return (
    <a
      href={href}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onPick();
      }}
    >
      {children}
    </a>
  );
}
