import type { FastifyPluginAsync } from 'fastify';
import { answerRoutes } from './answer/routes.ts';
import { autocompleteRoutes } from './autocomplete/routes.ts';
import { contentRoutes } from './content-v3/routes.ts';
import { crawlerRoutes } from './crawlers/routes.ts';
import { documentRoutes } from './documents/routes.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { toolRoutes } from './search-tools/routes.ts';
import { synonymRoutes } from './search-tools/synonym-routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { staticFiles } from './static-files.ts';
import { summaryRoutes } from './summary/routes.ts';
import { trackingRoutes } from './tracking/routes.ts';

/** A new endpoint is one line here, one `routes.ts` and one service. */
const ROUTES = [
  searchRoutes,
  autocompleteRoutes,
  answerRoutes,
  summaryRoutes,
  documentRoutes,
  crawlerRoutes,
  contentRoutes,
  toolRoutes,
  synonymRoutes,
  settingsRoutes,
  trackingRoutes,
  feedbackRoutes,
  healthRoutes,
  staticFiles,
] as const;

/** What all routes together work with. */
export type PublicDeps = Intersection<Parameters<(typeof ROUTES)[number]>[0]>;

/** Every route but those of the operator. Contract: 1.3. */
export function publicRoutes(deps: PublicDeps): readonly FastifyPluginAsync[] {
  return ROUTES.map((routes) => routes(deps));
}

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
