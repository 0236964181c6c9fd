import type { FastifyPluginAsync } from 'fastify';
import { type InstallationStatus, installationStatus, type StatusDeps } from '../../../accounts/installation-status.ts';
import type { Finding } from '../../../health/finding.ts';
import type { Health } from '../../../health/health.ts';
import { timeText } from '../responses.ts';

export type StatusRouteDeps = StatusDeps & { readonly health: Health };

/** What runs, how full the disk is, how far the index is behind, and what is wrong with the command that mends it. */
export function statusRoutes(deps: StatusRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/status', async () => statusBody(await installationStatus(deps), await deps.health.findings()));
  };
}

function statusBody(
  { at, version, nodeVersion, disk, roles, engines }: InstallationStatus,
  findings: readonly Finding[],
) {
  return { at: timeText(at), version, node: nodeVersion, disk, roles, engines, findings };
}
