import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import { siteTokenOf } from '../auth.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { readWidgetBuild, type WidgetDeps } from '../widget-files.ts';
import { idOf } from './requests.ts';

export type WidgetRouteDeps = WidgetDeps & {
  readonly store: Pick<AccountStore, 'findEngine'>;
  /** Where visitors reach the api; undefined when the operator has not said so. */
  readonly publicUrl: string | undefined;
};

export const WIDGET_BODY = z
  .object({
    engine: z.int(),
    key: z.string().describe('The site key, which everybody may see.'),
    address: z.string().nullable().describe('`PUBLIC_URL`.'),
    path: z.string().describe('Of the widget as it is now, whichever version that is.'),
    versionPath: z.string().describe('Of this version, which never changes.'),
    integrity: z.string().describe('What a tag with `versionPath` may compare the script with.'),
  })
  .meta({ id: 'Widget' });

/** What a tag that embeds the search of an engine is made of. */
export function widgetRoutes(deps: WidgetRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get(
      '/engines/:engineId/widget',
      { config: { access: 'editor' } },
      async (request): Promise<Shown<typeof WIDGET_BODY>> => {
        const id = idOf(request, 'engineId');
        const engine = requireRecord('engine', id, await deps.store.findEngine(id));
        const { version, integrity } = await readWidgetBuild(deps);
        return {
          engine: id,
          key: siteTokenOf(engine),
          address: deps.publicUrl ?? null,
          path: '/widget.js',
          versionPath: `/widget/${version}/widget.js`,
          integrity,
        };
      },
    );
  };
}
