import { escapeHtml } from '../../../core/escape-html.ts';

/** How the HTML of one answer is written. */
export type HtmlStyle = {
  /** cfg `HTML_HOOK_PREFIX`: every hook comes once per prefix. */
  readonly prefixes: readonly string[];
  /** Language of the few words that are not the documents', ISO 639-1. */
  readonly language: string;
  /** Name of the template as sent; an unknown one is the default. Contract: 2.1. */
  readonly template: string | undefined;
};

/** ` name="value"` with the value escaped. */
export function attribute(name: string, value: string | number): string {
  return ` ${name}="${escapeHtml(String(value))}"`;
}

/** Attributes that front ends look for, each once per prefix. Contract: 2.11. */
export function hooks(prefixes: readonly string[], values: Readonly<Record<string, string | number>>): string {
  return prefixes
    .flatMap((prefix) => Object.entries(values).map(([name, value]) => attribute(`${prefix}-${name}`, value)))
    .join('');
}

/** The address when a browser would follow it over http or https, or within the page's own site; else undefined. */
export function safeLink(address: string): string | undefined {
  // Browsers drop blanks and control characters as this parser does, so `java\nscript:` is seen as what it is.
  const url = URL.parse(address, 'https://relative.invalid/');
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && address.trim() !== '' ? address : undefined;
}
