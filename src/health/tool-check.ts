import { type Check, finding } from './health.ts';

export type ToolCheckDeps = {
  /** As of the last check of each engine. */
  readonly countBrokenTools: () => Promise<readonly { readonly engineId: number; readonly tools: number }[]>;
};

/** Search tools that lead to pages that are gone: visitors see less than an editor meant to show. */
export function checkSearchTools({ countBrokenTools }: ToolCheckDeps): Check {
  return {
    name: 'search tools',
    look: async () =>
      (await countBrokenTools()).map(({ engineId, tools }) =>
        finding('tools-broken', {
          subject: `engine ${engineId}`,
          sentence: `${tools === 1 ? 'A search tool' : `${tools} search tools`} of engine ${engineId} (pins, hidden pages, quicklinks, banners) ${tools === 1 ? 'leads' : 'lead'} to pages that are gone`,
          command: `fossick tools broken ${engineId} (mend or remove them, then fossick tools check ${engineId})`,
        }),
      ),
  };
}
