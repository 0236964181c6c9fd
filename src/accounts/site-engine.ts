import type { Engine, EngineSettings } from '../core/records.ts';
import { ENGINE_DEFAULTS } from './engine-settings.ts';
import { PAGE_DEFAULTS, pageProblems } from './hosted-page.ts';

/** How the engine of a site begins: it answers questions, and its search page is published. */
const SITE_SETTINGS = {
  ...ENGINE_DEFAULTS,
  aiEnabled: true,
  features: ['AiChat', 'SummaryOptions'],
};

type SiteEngine = {
  readonly name: string;
  /** Links of answers lead to the place in the page; an existing front end expects addresses of documents. */
  readonly citationFragments: boolean;
};

type Members = Readonly<Record<string, unknown>>;

/**
 * How the crawler of a site begins, beside what was asked for: pages that name no category have that of their folders, so
 * that visitors can narrow results down from the first day.
 */
export function siteCrawlerSettings(asked: Members): Members {
  const { content = {} } = asked;
  if (typeof content !== 'object' || content === null) return asked;
  return { ...asked, content: { categoryFromPath: true, ...content } };
}

/** A page whose path another engine has is left for the operator to publish. */
export function siteEngineSettings(
  { name, citationFragments }: SiteEngine,
  engines: readonly Pick<Engine, 'id' | 'name' | 'settings'>[],
): EngineSettings {
  const unpublished = { ...SITE_SETTINGS, citationFragments };
  const settings = { ...unpublished, page: { ...PAGE_DEFAULTS, published: true } };
  return pageProblems({ name, settings }, engines).length === 0 ? settings : unpublished;
}
