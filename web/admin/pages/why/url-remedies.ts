import type { UrlStep } from '../../generated-types.ts';

type Remedy = {
  readonly label: string;
  readonly address: string;
  /** Editors may look at crawlers, and not change them. */
  readonly isOperators: boolean;
};

type Place = { readonly label: string; readonly tab: string; readonly isOperators: boolean };

const PLACES: Readonly<Partial<Record<UrlStep['step'], Place>>> = {
  'normal-form': { label: 'Forms of URLs', tab: 'settings', isOperators: true },
  scope: { label: 'Rules of the crawler', tab: 'settings', isOperators: true },
  discovery: { label: 'Seeds and sitemaps', tab: 'settings', isOperators: true },
  robots: { label: 'Hosts and robots.txt', tab: 'hosts', isOperators: false },
  frontier: { label: 'Runs', tab: 'runs', isOperators: false },
  fetch: { label: 'Hosts', tab: 'hosts', isOperators: false },
  render: { label: 'How pages are read', tab: 'settings', isOperators: true },
  directives: { label: 'What pages say of themselves', tab: 'settings', isOperators: true },
  extract: { label: 'How pages are read', tab: 'settings', isOperators: true },
  document: { label: 'Removals', tab: 'removals', isOperators: false },
};

/** Where the step that stops a URL is mended. */
export function remedyOf({ step, detail }: UrlStep, engineId: string, crawler: number | null): Remedy | undefined {
  const { target } = detail;
  if ((step === 'canonical' || step === 'duplicate') && typeof target === 'string') {
    const query = new URLSearchParams({ q: target });
    return {
      label: 'Why the other page?',
      address: `/admin/engines/${engineId}/why?${query}`,
      isOperators: false,
    };
  }
  const place = PLACES[step];
  if (place === undefined) return undefined;
  const query = crawler === null ? '' : `?crawler=${crawler}`;
  return { ...place, address: `/admin/sites/${engineId}/${place.tab}${query}` };
}
