import type { EngineConnection } from '../../packages/client/src/index.ts';

export const MODES = ['modal', 'inline', 'results'] as const;
export type Mode = (typeof MODES)[number];

/** What the tag says, as `data-*` attributes. */
export type Options = {
  readonly mode: Mode;
  readonly key: string;
  /** Selectors: what opens the modal in place of the button of its own, where the box goes, and where results go. */
  readonly trigger: string | undefined;
  readonly target: string | undefined;
  readonly results: string | undefined;
  /** BCP 47; absent: that of the engine. */
  readonly language: string | undefined;
  /** `page` = as the page around it, `auto` = as the visitor's system. */
  readonly theme: 'page' | 'light' | 'dark' | 'auto';
  readonly accent: string | undefined;
  readonly placeholder: string | undefined;
  readonly hasAnswers: boolean;
};

export type Attributes = Readonly<Record<string, string | undefined>>;

const THEMES = ['light', 'dark', 'auto'] as const;

/** What is not one of the values stands for the default. */
export function readOptions(attributes: Attributes): Options {
  const { key = '', trigger, target, results, language, accent, placeholder, answers } = attributes;
  return {
    mode: MODES.find((mode) => mode === attributes['mode']) ?? 'modal',
    key: key.trim(),
    trigger,
    target,
    results,
    language: language || undefined,
    theme: THEMES.find((theme) => theme === attributes['theme']) ?? 'page',
    accent: accent !== undefined && CSS.supports('color', accent) ? accent : undefined,
    placeholder: placeholder || undefined,
    hasAnswers: answers !== 'off',
  };
}

/** The engine that a site key names. A key that names none is refused by the service, which says so. Contract: 1.6. */
export function engineOf(siteKey: string, baseUrl: string): EngineConnection {
  const [, customerId = '1', engineId = '1'] = /^([1-9]\d*):([1-9]\d*):SearchKey$/.exec(decoded(siteKey)) ?? [];
  // Whoever searches sees at once that it failed, and decides whether to ask again.
  return { baseUrl, siteKey, customerId, engineId, retries: 0 };
}

function decoded(siteKey: string): string {
  try {
    return atob(siteKey);
  } catch {
    return '';
  }
}
