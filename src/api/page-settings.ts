import { z } from 'zod';
import { PAGE_DEFAULTS } from '../accounts/hosted-page.ts';
import { chooseLanguage, directionOf } from '../core/interface-languages.ts';
import { PAGE_SCHEMES } from '../core/page-theme.ts';
import type { Engine } from '../core/records.ts';
import { themeProperties } from '../core/theme-properties.ts';
import type { Shown } from './openapi/json-schema.ts';

const TEXT = z.string().nullable();

export const PAGE_SETTINGS_RESPONSE = z
  .object({
    name: z.string().describe('Of the engine.'),
    language: z.string().describe('Of the interface, BCP 47.'),
    direction: z.enum(['ltr', 'rtl']),
    visitorLanguage: z.boolean().describe('The language of the visitor comes first where the interface has it.'),
    texts: z
      .object({ title: TEXT, placeholder: TEXT, hint: TEXT })
      .describe('Plain texts in place of those of the interface.'),
    theme: z.object({
      logo: TEXT.describe('An https URL, or a path of this host.'),
      scheme: z.enum(PAGE_SCHEMES),
      properties: z.record(z.string(), z.string()).describe('Custom properties of CSS that differ from the usual.'),
    }),
    features: z.object({
      answers: z.boolean().describe('Questions are answered.'),
      summaries: z.boolean().describe('Results are summed up.'),
      instantSuggestions: z.boolean(),
      recentSearches: z.boolean(),
    }),
  })
  .meta({ id: 'PageSettings' });

export type PageSettings = Shown<typeof PAGE_SETTINGS_RESPONSE>;

/** What a page or widget of the engine looks like; `visitor` are languages of its visitor, best first. */
export function pageSettingsOf(engine: Engine, visitor: readonly string[] = []): PageSettings {
  const { settings, publicSettings } = engine;
  const page = settings.page ?? PAGE_DEFAULTS;
  const language = chooseLanguage([...(page.visitorLanguage ? visitor : []), page.language ?? engine.language]);
  const suggests = publicSettings.subscriptionFeatures.includes('instant suggestions');
  return {
    name: engine.name,
    language,
    direction: directionOf(language),
    visitorLanguage: page.visitorLanguage,
    texts: { title: page.title ?? null, placeholder: page.placeholder ?? null, hint: page.hint ?? null },
    theme: { logo: page.theme.logo ?? null, scheme: page.theme.scheme, properties: themeProperties(page.theme) },
    features: {
      answers: settings.aiEnabled && settings.features.includes('AiChat'),
      summaries: settings.aiEnabled,
      instantSuggestions: suggests,
      recentSearches: suggests && publicSettings.instantSuggestions.showRecentSearches,
    },
  };
}
