import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { KnownEngine } from '../../frame/engines.ts';
import type { ListedCrawler } from '../../generated-types.ts';
import { siteAddress } from '../findings/remedies.ts';

export type Site = {
  readonly engine: KnownEngine;
  readonly crawler: ListedCrawler;
  /** After something was done: shows it at once. */
  readonly reload: () => void;
};

const SiteContext = createContext<Site | undefined>(undefined);

export const SiteProvider = SiteContext.Provider;

/** What the parts of the page of a site are about. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === undefined) throw new Error('There is no site here');
  return site;
}

/** A part of the page, with values for it: `tabAddress(site, 'pages', { state: 'failed' })`. */
export function tabAddress(
  { crawler }: Pick<Site, 'crawler'>,
  tab: string,
  values: Readonly<Record<string, string>> = {},
): string {
  return `${siteAddress(crawler.engine, crawler.id, tab)}${Object.entries(values)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('')}`;
}
