import type { CrawlSettings } from './settings.ts';

/** What an operator should know about the settings of a crawler at each run, one sentence each. */
export function settingWarnings({ tls, robots }: Pick<CrawlSettings, 'tls' | 'robots'>): readonly string[] {
  return [
    ...(tls.verify ? [] : ['tls.verify is off: whoever stands between may read passwords and change pages']),
    ...(robots === 'obey' ? [] : ['robots is ignore: only for sites of your own']),
  ];
}
