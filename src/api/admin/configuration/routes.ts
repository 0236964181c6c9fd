import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { type ApplyDeps, applyProvision } from '../../../accounts/apply-provision.ts';
import { exportProvision } from '../../../accounts/export-provision.ts';
import { type ProvisionPlan, planProvision } from '../../../accounts/plan-provision.ts';
import { parseStrictly } from '../../../accounts/problems.ts';

export type ConfigurationRouteDeps = ApplyDeps & {
  /** Every variable with its value, secrets masked. */
  readonly shownConfig: Readonly<Record<string, unknown>>;
};

/** `name`: what the records of the file are managed by. */
const FILE = z.strictObject({ name: z.string().min(1).max(200), content: z.unknown() });

/** The configuration, the present records as a provision file, and what another one would change. */
export function configurationRoutes(deps: ConfigurationRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/configuration', async () => ({ variables: deps.shownConfig, file: await exportProvision(deps) }));

    app.post('/configuration/plan', async (request) =>
      planBody(await planProvision(deps, parseStrictly(FILE, request.body))),
    );

    app.post('/configuration/apply', async (request) =>
      planBody(await applyProvision(deps, parseStrictly(FILE, request.body))),
    );
  };
}

function planBody({ planned, warnings }: ProvisionPlan) {
  return { changes: planned, warnings };
}
