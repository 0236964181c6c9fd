import type { Reason } from '../../core/crawl-words.ts';
import type { DocumentKind, Section } from '../../core/document.ts';
import { normalizeUrl } from '../../core/url.ts';
import type { Directives, ExplainedBlock, Extraction, ExtractionStatus, RuledField } from '../../extract/extraction.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';

export type DryRunLink = {
  readonly url: string;
  readonly text: string;
  /** The page allows to follow it. */
  readonly follow: boolean;
  readonly inScope: boolean;
  readonly reason: Reason | undefined;
  readonly rule: string | undefined;
};

export type DryRunField = {
  readonly name: string;
  readonly values: readonly string[];
  /** `og:title`, `h1`, `json-ld` … */
  readonly source: string | undefined;
};

/** A section as answers find it, cut short. */
export type DryRunSection = {
  readonly headings: readonly string[];
  readonly anchor: string | undefined;
  readonly page: number | undefined;
  /** May be quoted, and be a source of an answer. */
  readonly grounding: boolean;
  readonly chars: number;
  /** The beginning, at most 120 characters. */
  readonly text: string;
};

/** What was read from a page or file. */
export type DryRunPage = {
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
  readonly fields: readonly DryRunField[];
  readonly sections: readonly DryRunSection[];
  /** Every block of the page with what became of it, in order. */
  readonly blocks: readonly ExplainedBlock[];
  /** What each rule for a field did, values cut short. */
  readonly rules: readonly RuledField[];
  readonly hiddenChars: number;
  readonly notes: readonly string[];
  readonly links: readonly DryRunLink[];
  /** Links of the page, shown or not. */
  readonly linkCount: number;
};

const MAX_LINKS = 500;
const MAX_SECTIONS = 500;
const MAX_BLOCKS = 2_000;
const MAX_TEXT_CHARS = 120;
const MAX_VALUES = 20;

export function dryRunPage(extraction: Extraction, rules: CrawlRules, depth: number): DryRunPage {
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
    fields: [...extraction.fields].map(([name, values]) => ({ name, values, source: sourceOf(name, extraction) })),
    sections: extraction.structure.sections.slice(0, MAX_SECTIONS).map(dryRunSection),
    blocks: (trace.blocks ?? []).slice(0, MAX_BLOCKS),
    rules: (trace.rules ?? []).map(dryRunRule),
    hiddenChars: trace.hiddenChars,
    notes: trace.notes,
    links: extraction.outlinks.slice(0, MAX_LINKS).map((link) => dryRunLink(link, rules, depth + 1)),
    linkCount: extraction.outlinks.length,
  };
}

function sourceOf(name: string, { trace, language }: Extraction): string | undefined {
  return trace.sources[name] ?? (name === 'Language' ? language?.from : undefined);
}

function dryRunSection({ headings, page, grounding, blocks }: Section): DryRunSection {
  return {
    headings: headings.map(({ text }) => text),
    anchor: headings.at(-1)?.anchor,
    page,
    grounding,
    chars: blocks.reduce((sum, { text }) => sum + text.length, 0),
    text: (blocks[0]?.text ?? '').slice(0, MAX_TEXT_CHARS),
  };
}

function dryRunRule(rule: RuledField): RuledField {
  const shortened = (values: readonly string[]) =>
    values.slice(0, MAX_VALUES).map((value) => value.trim().slice(0, MAX_TEXT_CHARS));
  return { ...rule, raw: shortened(rule.raw), values: shortened(rule.values) };
}

function dryRunLink(
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
