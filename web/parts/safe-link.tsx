import type { ComponentChildren } from 'preact';

type Props = { readonly address: string; readonly children: ComponentChildren };

/** Addresses of documents come from outside: what is not http or https (a `javascript:` address runs code) is no link. */
export function SafeLink({ address, children }: Props) {
  const url = URL.parse(address, document.baseURI);
  const isSafe = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isSafe ? <a href={url.href}>{children}</a> : <span>{children}</span>;
}
