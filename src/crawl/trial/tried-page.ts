import type { Reason } from '../../core/crawl-words.ts';
import type { DocumentKind } from '../../core/document.ts';
import { normalizeUrl } from '../../core/url.ts';
import type { Directives, Extraction, ExtractionStatus } from '../../extract/extraction.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';

export type TriedLink = {
  readonly url: string;
  readonly text: string;
  /** The page allows to follow it. */
  readonly follow: boolean;
  readonly inScope: boolean;
  readonly reason: Reason | undefined;
  readonly rule: string | undefined;
};

export type TriedField = {
  readonly name: string;
  readonly values: readonly string[];
  /** `og:title`, `h1`, `json-ld` … */
  readonly source: string | undefined;
};

/** What was read from a page or file. */
export type TriedPage = {
  readonly status: ExtractionStatus;
  readonly note: string;
  readonly kind: DocumentKind;
  readonly media: string;
  readonly charset: string;
  readonly language: string | undefined;
  readonly languageFrom: string | undefined;
  readonly canonicalUrl: string | undefined;
  readonly refreshUrl: string | undefined;
  readonly renderWanted: string | undefined;
  readonly directives: Directives;
  readonly fields: readonly TriedField[];
  readonly hiddenChars: number;
  readonly notes: readonly string[];
  readonly links: readonly TriedLink[];
  /** Links of the page, shown or not. */
  readonly linkCount: number;
};

const MAX_LINKS = 500;

export function triedPage(extraction: Extraction, rules: CrawlRules, depth: number): TriedPage {
  const { status, reason, kind, trace, language, canonicalUrl, refreshUrl, renderWanted, directives } = extraction;
  return {
    status,
    note: reason,
    kind,
    media: trace.media,
    charset: trace.charset,
    language: language?.code,
    languageFrom: language?.from,
    canonicalUrl,
    refreshUrl,
    renderWanted,
    directives,
    fields: [...extraction.fields].map(([name, values]) => ({ name, values, source: trace.sources[name] })),
    hiddenChars: trace.hiddenChars,
    notes: trace.notes,
    links: extraction.outlinks.slice(0, MAX_LINKS).map((link) => triedLink(link, rules, depth + 1)),
    linkCount: extraction.outlinks.length,
  };
}

function triedLink(
  { url: text, text: words, follow }: Extraction['outlinks'][number],
  rules: CrawlRules,
  depth: number,
) {
  const url = normalizeUrl(text, rules.urlRules);
  if (url === undefined)
    return { url: text, text: words, follow, inScope: false, reason: 'scheme' as const, rule: undefined };
  const verdict = rules.scope({ url, depth, queued: false, knownUrls: 0 });
  const rule = verdict.rule === '' ? undefined : verdict.rule;
  return { url, text: words, follow, inScope: verdict.in, reason: verdict.in ? undefined : verdict.reason, rule };
}
