import { CONTENT_SETTINGS } from '../../src/crawl/rules/content-settings.ts';
import type { ContentSettings } from '../../src/extract/extract-settings.ts';

/** The stock settings of content with some of an operator's own. */
export function contentSettings(own: Readonly<Record<string, unknown>> = {}): ContentSettings {
  return CONTENT_SETTINGS.parse(own);
}
