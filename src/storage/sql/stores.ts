import { documentWrites, noteDamaged } from '../engine/documents.ts';
import { dueRowStore } from '../engine/due-rows.ts';
import { duplicateStore } from '../engine/duplicates.ts';
import { frontierStore } from '../engine/frontier.ts';
import { headTitleStore } from '../engine/head-titles.ts';
import { hostContentStore } from '../engine/host-content.ts';
import { hostStore } from '../engine/hosts.ts';
import { laneStore } from '../engine/lanes.ts';
import { linkTextStore } from '../engine/link-texts.ts';
import { passageVectorStore } from '../engine/passage-vectors.ts';
import { patternStore } from '../engine/patterns.ts';
import { removalStore } from '../engine/removals.ts';
import { runStore } from '../engine/runs.ts';
import { sitemapStore } from '../engine/sitemaps.ts';
import { templateStore } from '../engine/templates.ts';
import { urlBrowser } from '../engine/url-browser.ts';
import { urlLookUp } from '../engine/url-look-up.ts';
import { urlStore } from '../engine/urls.ts';
import { visitLogStore } from '../engine/visit-log.ts';
import { visitStore } from '../engine/visits.ts';
import { accountStore } from '../system/accounts.ts';
import { alertTargetStore } from '../system/alert-targets.ts';
import { contentGapStore } from '../system/content-gaps.ts';
import { conversationStore } from '../system/conversations.ts';
import { goldenQuestionStore } from '../system/golden-questions.ts';
import { hostHoldStore } from '../system/host-holds.ts';
import { backupStore, clockStore, leaseStore } from '../system/installation.ts';
import { peopleStore } from '../system/people.ts';
import { popularQueryStore } from '../system/popular-queries.ts';
import { statisticsStore } from '../system/statistics.ts';
import { synonymStore } from '../system/synonym-groups.ts';
import { toolStore } from '../system/tools.ts';
import { trackingStore } from '../system/tracking.ts';
import { visitorReportStore } from '../system/visitor-reports.ts';
import { identityStore, rememberOnce } from './meta.ts';
import type { StoreDefinition } from './operation.ts';

/** The parts of an engine's store; its documents stand beside them, since who opens it is told of damaged ones. */
export const ENGINE_STORES = [
  identityStore,
  frontierStore,
  dueRowStore,
  laneStore,
  visitStore,
  visitLogStore,
  runStore,
  hostStore,
  urlStore,
  patternStore,
  duplicateStore,
  urlBrowser,
  urlLookUp,
  sitemapStore,
  removalStore,
  hostContentStore,
  templateStore,
  headTitleStore,
  linkTextStore,
  passageVectorStore,
] as const;

export const SYSTEM_STORES = [
  identityStore,
  accountStore,
  alertTargetStore,
  leaseStore,
  backupStore,
  clockStore,
  toolStore,
  synonymStore,
  trackingStore,
  popularQueryStore,
  statisticsStore,
  visitorReportStore,
  conversationStore,
  contentGapStore,
  goldenQuestionStore,
  peopleStore,
  hostHoldStore,
] as const;

/** Every write by name: what the write thread knows. */
export const engineWrites = { ...writesOf(ENGINE_STORES), ...documentWrites, noteDamaged };
export const systemWrites = { ...writesOf(SYSTEM_STORES), rememberOnce };

type WritesOf<Stores extends readonly StoreDefinition[]> = Intersection<Stores[number]['writes']>;
type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

function writesOf<const Stores extends readonly StoreDefinition[]>(stores: Stores): WritesOf<Stores> {
  return Object.assign({}, ...stores.map(({ writes }) => writes)) as WritesOf<Stores>;
}
