import { z } from 'zod';
import { ALERT_TARGET, CHANGED_ALERT_TARGET } from '../../accounts/alert-target-settings.ts';
import { ENGINE_SETTINGS, PUBLIC_SETTINGS } from '../../accounts/engine-settings.ts';
import { CHANGED_CRAWLER, NEW_CRAWLER } from '../../accounts/manage-crawlers.ts';
import { CHANGED_CUSTOMER, NEW_CUSTOMER } from '../../accounts/manage-customers.ts';
import { CHANGED_ENGINE, NEW_ENGINE } from '../../accounts/manage-engines.ts';
import { NEW_KEY } from '../../accounts/manage-keys.ts';
import { crawlSettings } from '../../crawl/rules/settings.ts';
import { ALERT_TARGET_BODY, ALERT_TARGET_LIST, ALERT_TEST, ALERT_TEST_BODY } from '../admin/alert-targets.ts';
import {
  CRAWLER_BODY,
  CRAWLER_STATUS_BODY,
  RUN_BODY,
  SAVED_CRAWLER_BODY,
  VISIT_BODY,
} from '../admin/crawl-responses.ts';
import { CRAWLER_LIST, LISTED_CRAWLER_BODY } from '../admin/crawler-list.ts';
import {
  CHANGED_RUNS_BODY,
  CRAWLER_CHANGE,
  NEWEST,
  PRIVATE_NAME,
  QUEUED_URLS_BODY,
  RUN_START,
  STARTED_RUN_BODY,
  URLS,
} from '../admin/crawlers.ts';
import { CUSTOMER_LIST, ENGINE_LIST, INDEX_WORK_BODY, REBUILD, REBUILD_BODY } from '../admin/customers.ts';
import { DOCUMENT_BODY, DOCUMENT_LIST, WHOLE_DOCUMENT_BODY } from '../admin/documents.ts';
import { PREVIEW, PREVIEW_BODY, TEST_URL } from '../admin/dry-runs.ts';
import { HIT_EXPLANATION, HIT_EXPLANATION_BODY } from '../admin/explain.ts';
import { HOME_BODY } from '../admin/home.ts';
import {
  ASKED_BACKUP_BODY,
  AUDIT_LIST,
  BACKUP_BODY,
  CONFIGURATION_BODY,
  PLAN_BODY,
  PROVISION_FILE,
  STATUS_BODY,
} from '../admin/installation.ts';
import {
  AUDIT_BODY,
  CUSTOMER_BODY,
  ENGINE_BODY,
  KEY_BODY,
  NAMED_ENGINE_BODY,
  NEW_KEY_BODY,
} from '../admin/responses.ts';
import { URL_DRY_RUN_BODY } from '../admin/url-explanation.ts';
import { WIDGET_BODY } from '../admin/widget.ts';
import type { Operation, Operations, Tag } from './operation.ts';

const NEXT = z
  .union([z.int(), z.string(), z.null()])
  .describe('The `after` of the next page; null on the last one.')
  .optional();

type About = Pick<Operation, 'description' | 'query' | 'body' | 'patch' | 'errors'>;
/** `record`: what the answer shows, or each item of a list. */
type Make = (id: string, summary: string, about: About & { readonly record: z.ZodType }) => Operation;
type MakeEmpty = (id: string, summary: string, about?: About) => Operation;
/** An answer that is no record. */
type Send = (id: string, summary: string, about: About & Pick<Operation, 'answer'>) => Operation;
/** What makes the operations of one section. */
export type Section = {
  readonly shows: Make;
  /** A page of them. */
  readonly lists: Make;
  readonly makes: Make;
  /** The work is done later. */
  readonly starts: Make;
  readonly removes: MakeEmpty;
  readonly sends: Send;
};

export function section(tag: Tag): Section {
  const made =
    (answerOf: (record: z.ZodType) => Operation['answer']): Make =>
    (id, summary, { record, ...about }) => ({ id, tag, summary, answer: answerOf(record), ...about });
  return {
    shows: made((schema) => ({ about: 'What there is now', schema })),
    lists: made((record) => ({ about: 'Records', schema: z.object({ items: z.array(record), next: NEXT }) })),
    makes: made((schema) => ({ status: 201, about: 'The new record', schema })),
    starts: made((schema) => ({ status: 202, about: 'It is asked for', schema })),
    removes: (id, summary, about) => ({ id, tag, summary, answer: { status: 204, about: 'It is done' }, ...about }),
    sends: (id, summary, about) => ({ id, tag, summary, ...about }),
  };
}

const customers = section('Customers');
const engines = section('Engines');
const crawlers = section('Crawlers');
const runs = section('Runs');
const installation = section('Installation');

const WHOLE_ENGINE = z.intersection(NEW_ENGINE.extend({ publicSettings: PUBLIC_SETTINGS.optional() }), ENGINE_SETTINGS);
const ENGINE_CHANGE = z.intersection(
  CHANGED_ENGINE.extend({ publicSettings: PUBLIC_SETTINGS.optional() }),
  ENGINE_SETTINGS,
);
const WHOLE_CRAWLER = z.intersection(NEW_CRAWLER, crawlSettings);
const CRAWLER_SETTINGS_CHANGE = z.intersection(CHANGED_CRAWLER, crawlSettings);
const MERGED = 'Changes the members that are sent (RFC 7396); null brings back a default.';
const NOTHING = z.strictObject({});
const SHOWN_ENGINE = z.union([ENGINE_BODY, NAMED_ENGINE_BODY]);
const FOR_READERS = 'Readers see names, language and where the search page is.';

/** Records of the operator, below the prefix of the admin API. */
export const ADMIN_OPERATIONS: Operations = {
  'GET /customers': customers.lists('listCustomers', 'Lists customers', {
    query: CUSTOMER_LIST,
    record: CUSTOMER_BODY,
  }),
  'POST /customers': customers.makes('addCustomer', 'Makes a customer', { body: NEW_CUSTOMER, record: CUSTOMER_BODY }),
  'GET /customers/:customerId': customers.shows('findCustomer', 'Shows a customer', { record: CUSTOMER_BODY }),
  'PATCH /customers/:customerId': customers.shows('changeCustomer', 'Renames a customer', {
    body: CHANGED_CUSTOMER,
    record: CUSTOMER_BODY,
  }),
  'DELETE /customers/:customerId': customers.removes(
    'removeCustomer',
    'Removes a customer with its keys, engines, crawlers and all their documents',
  ),
  'GET /customers/:customerId/keys': customers.lists('listKeys', 'Lists API keys', {
    query: CUSTOMER_LIST,
    record: KEY_BODY,
  }),
  'POST /customers/:customerId/keys': customers.makes('addKey', 'Makes an API key, which is shown this once', {
    body: NEW_KEY,
    record: NEW_KEY_BODY,
  }),
  'DELETE /customers/:customerId/keys/:keyId': customers.removes('revokeKey', 'Revokes an API key'),

  'GET /engines': engines.lists('listEngines', 'Lists engines', {
    description: FOR_READERS,
    query: ENGINE_LIST,
    record: SHOWN_ENGINE,
  }),
  'POST /engines': engines.makes('addEngine', 'Makes an engine', { body: WHOLE_ENGINE, record: ENGINE_BODY }),
  'GET /engines/:engineId': engines.shows('findEngine', 'Shows an engine with its settings', {
    description: FOR_READERS,
    record: SHOWN_ENGINE,
  }),
  'PATCH /engines/:engineId': engines.shows('changeEngine', 'Changes an engine', {
    description: MERGED,
    patch: ENGINE_CHANGE,
    record: ENGINE_BODY,
    errors: ['record.changed'],
  }),
  'DELETE /engines/:engineId': engines.removes(
    'removeEngine',
    'Removes an engine with its crawlers, search tools, tracking and documents',
  ),
  'POST /engines/:engineId/rebuild': engines.starts(
    'rebuildIndex',
    'Makes the index anew, or brings back the one before',
    {
      body: REBUILD,
      record: REBUILD_BODY,
    },
  ),
  'GET /engines/:engineId/rebuild': engines.shows(
    'findIndexWork',
    'Tells what was asked of the index and is not done yet',
    { record: INDEX_WORK_BODY },
  ),
  'GET /engines/:engineId/documents': engines.lists('listDocuments', 'Lists stored documents by row id', {
    query: DOCUMENT_LIST,
    record: DOCUMENT_BODY,
  }),
  'GET /engines/:engineId/documents/:rid': engines.shows('findDocument', 'Shows a stored document with its fields', {
    record: WHOLE_DOCUMENT_BODY,
  }),
  'DELETE /engines/:engineId/documents/:rid': engines.removes('removeDocument', 'Deletes a stored document'),
  'POST /engines/:engineId/explain': engines.shows(
    'explainHit',
    'Tells why a document stands where it stands in a search, or why it is not there',
    { body: HIT_EXPLANATION, record: HIT_EXPLANATION_BODY },
  ),
  'GET /engines/:engineId/widget': engines.shows(
    'findWidget',
    'Shows what a tag is made of that embeds the search of an engine in a page',
    { record: WIDGET_BODY },
  ),

  'GET /crawlers': crawlers.lists('listCrawlers', 'Lists crawlers with what they are doing', {
    query: CRAWLER_LIST,
    record: LISTED_CRAWLER_BODY,
  }),
  'POST /crawlers': crawlers.makes('addCrawler', 'Makes a crawler, which is inactive', {
    body: WHOLE_CRAWLER,
    record: SAVED_CRAWLER_BODY,
  }),
  'GET /crawlers/:crawlerId': crawlers.shows('findCrawler', 'Shows a crawler with its settings and its state', {
    record: CRAWLER_STATUS_BODY,
  }),
  'PATCH /crawlers/:crawlerId': crawlers.shows('changeCrawler', 'Changes the settings of a crawler', {
    description: `${MERGED} Settings that remove documents need the token of their preview, or \`allowDelete=true\`.`,
    query: CRAWLER_CHANGE,
    patch: CRAWLER_SETTINGS_CHANGE,
    record: SAVED_CRAWLER_BODY,
    errors: ['record.changed'],
  }),
  'DELETE /crawlers/:crawlerId': crawlers.removes('removeCrawler', 'Removes a crawler with its documents'),
  'POST /crawlers/:crawlerId/private-names': crawlers.shows(
    'openPrivateName',
    'Lets a name lead into private networks; unless they are named, into those where it leads now',
    { body: PRIVATE_NAME, record: SAVED_CRAWLER_BODY },
  ),
  'POST /crawlers/:crawlerId/activate': crawlers.shows('activateCrawler', 'Activates a crawler', {
    record: CRAWLER_BODY,
  }),
  'POST /crawlers/:crawlerId/deactivate': crawlers.shows('deactivateCrawler', 'Deactivates a crawler', {
    record: CRAWLER_BODY,
  }),
  'POST /crawlers/:crawlerId/run': crawlers.starts('startRun', 'Starts a run', {
    body: RUN_START,
    record: STARTED_RUN_BODY,
  }),
  'POST /crawlers/:crawlerId/pause': crawlers.shows('pauseRuns', 'Pauses the runs of a crawler', {
    record: CHANGED_RUNS_BODY,
  }),
  'POST /crawlers/:crawlerId/resume': crawlers.shows('resumeRuns', 'Resumes the paused runs of a crawler', {
    record: CHANGED_RUNS_BODY,
  }),
  'POST /crawlers/:crawlerId/stop': crawlers.shows('stopRuns', 'Stops the runs of a crawler', {
    record: CHANGED_RUNS_BODY,
  }),
  'POST /crawlers/:crawlerId/urls': crawlers.shows('queueUrlsOfCrawler', 'Has URLs visited ahead of scheduled work', {
    body: URLS,
    record: QUEUED_URLS_BODY,
  }),
  'POST /crawlers/:crawlerId/preview': crawlers.shows('previewSettings', 'Tells what settings would add and remove', {
    body: PREVIEW,
    record: PREVIEW_BODY,
    errors: ['search.timeout'],
  }),
  'POST /crawlers/:crawlerId/test-url': crawlers.shows(
    'testUrl',
    'Fetches and reads one URL as a run would, and stores nothing',
    { body: TEST_URL, record: URL_DRY_RUN_BODY, errors: ['feature.disabled', 'rate.exceeded'] },
  ),

  'GET /crawlers/:crawlerId/runs': runs.lists('listRuns', 'Lists the newest runs', { query: NEWEST, record: RUN_BODY }),
  'GET /crawlers/:crawlerId/runs/:runId': runs.shows('findRun', 'Shows a run', { record: RUN_BODY }),
  'GET /crawlers/:crawlerId/visits': runs.lists('listVisits', 'Lists the newest visits', {
    query: NEWEST,
    record: VISIT_BODY,
  }),

  'GET /home': installation.shows('showHome', 'Tells what is wrong, and what visitors did today', {
    record: HOME_BODY,
  }),
  'GET /status': installation.shows('showStatus', 'Tells what runs, how far it is, and what is wrong', {
    record: STATUS_BODY,
  }),
  'GET /configuration': installation.shows(
    'showConfiguration',
    'Shows every variable with its value, and the records as a provision file; secrets are masked',
    { record: CONFIGURATION_BODY },
  ),
  'POST /configuration/plan': installation.shows('planProvision', 'Tells what a provision file would change', {
    body: PROVISION_FILE,
    record: PLAN_BODY,
  }),
  'POST /configuration/apply': installation.shows('applyProvision', 'Applies a provision file', {
    body: PROVISION_FILE,
    record: PLAN_BODY,
  }),
  'GET /audit': installation.lists('listChanges', 'Lists who changed what, newest first', {
    query: AUDIT_LIST,
    record: AUDIT_BODY,
  }),
  'GET /backups': installation.lists('listBackups', 'Lists backups', { record: BACKUP_BODY }),
  'POST /backups': installation.starts('askBackup', 'Asks for a backup', {
    body: NOTHING,
    record: ASKED_BACKUP_BODY,
  }),
  'GET /alert-targets': installation.lists('listAlertTargets', 'Lists who is told what is wrong', {
    query: ALERT_TARGET_LIST,
    record: ALERT_TARGET_BODY,
  }),
  'POST /alert-targets': installation.makes('addAlertTarget', 'Makes an alert target', {
    body: ALERT_TARGET,
    record: ALERT_TARGET_BODY,
  }),
  'GET /alert-targets/:targetId': installation.shows('findAlertTarget', 'Shows an alert target', {
    record: ALERT_TARGET_BODY,
  }),
  'PATCH /alert-targets/:targetId': installation.shows('changeAlertTarget', 'Changes an alert target', {
    description: MERGED,
    patch: CHANGED_ALERT_TARGET,
    record: ALERT_TARGET_BODY,
  }),
  'DELETE /alert-targets/:targetId': installation.removes('removeAlertTarget', 'Removes an alert target'),
  'POST /alert-targets/:targetId/test': installation.shows(
    'testAlertTarget',
    'Sends an alert target a message at once, and answers what its receiver said',
    { body: ALERT_TEST, record: ALERT_TEST_BODY },
  ),
};
