import type { ComponentChildren } from 'preact';

type Props = {
  readonly address: string;
  readonly children: ComponentChildren;
  readonly onFollow?: () => void;
};

/** Opens a new tab; the right button, which only opens a menu, comes as the same event. */
const MIDDLE_BUTTON = 1;

/** Addresses of documents come from outside: what is not http or https (a `javascript:` address runs code) is no link. */
export function SafeLink({ address, children, onFollow }: Props) {
  const url = URL.parse(address, document.baseURI);
  const isSafe = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!isSafe) return <span>{children}</span>;
  return (
    <a href={url.href} onClick={onFollow} onAuxClick={(event) => event.button === MIDDLE_BUTTON && onFollow?.()}>
      {children}
    </a>
  );
}
