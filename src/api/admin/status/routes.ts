import type { FastifyPluginAsync } from 'fastify';
import { type InstallationStatus, installationStatus, type StatusDeps } from '../../../accounts/installation-status.ts';
import { timeText } from '../responses.ts';

/** What runs, how full the disk is, how far the index is behind, and what to do about it. */
export function statusRoutes(deps: StatusDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/status', async () => statusBody(await installationStatus(deps)));
  };
}

function statusBody({ at, version, nodeVersion, disk, roles, engines, warnings }: InstallationStatus) {
  return { at: timeText(at), version, node: nodeVersion, disk, roles, engines, warnings };
}
