import type { FastifyPluginAsync } from 'fastify';
import { clientFile } from '../client-file.ts';
import { mcpRoutes } from '../mcp/routes.ts';
import { descriptionRoutes } from '../openapi/routes.ts';
import { searchRoutes } from '../search/routes.ts';
import { staticFiles } from '../static-files.ts';
import { widgetFiles } from '../widget-files.ts';
import { answerRoutes, summaryRoutes } from './answers.ts';
import { autocompleteRoutes } from './autocomplete.ts';
import { contentRoutes } from './content-v3.ts';
import { crawlerRoutes } from './crawlers.ts';
import { documentRoutes } from './documents.ts';
import { feedbackRoutes } from './feedback.ts';
import { healthRoutes } from './health.ts';
import { markdownRoutes } from './markdown.ts';
import { toolRoutes } from './search-tools.ts';
import { settingsRoutes } from './settings.ts';
import { synonymRoutes } from './synonyms.ts';
import { trackingRoutes } from './tracking.ts';

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
  markdownRoutes,
  mcpRoutes,
  healthRoutes,
  descriptionRoutes,
  clientFile,
  staticFiles,
  widgetFiles,
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
