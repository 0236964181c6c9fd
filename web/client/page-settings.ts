import type { PAGE_SCHEMES } from '../../src/core/page-theme.ts';

/** What the server knows of the page that it sends. */
export type PageSettings = {
  /** Public: it may search, nothing else. */
  readonly siteKey: string;
  readonly customerId: number;
  readonly engineId: number;
  /** Of the engine. */
  readonly name: string;
  /** Of the interface, BCP 47. */
  readonly language: string;
  /** The visitor may choose another language, and light or dark. */
  readonly visitorLanguage: boolean;
  /** In place of those of the interface. */
  readonly texts: { readonly title: string | null; readonly placeholder: string | null; readonly hint: string | null };
  readonly theme: { readonly logo: string | null; readonly scheme: (typeof PAGE_SCHEMES)[number] };
  readonly features: {
    readonly answers: boolean;
    readonly summaries: boolean;
    readonly instantSuggestions: boolean;
    readonly recentSearches: boolean;
  };
};

/** What the server wrote into the page's head: the only place where the page reads it. */
export function readPageSettings(head: ParentNode): PageSettings {
  const { content } = head.querySelector<HTMLMetaElement>('meta[name="fossick-page"]') ?? {};
  return JSON.parse(content ?? '') as PageSettings;
}
