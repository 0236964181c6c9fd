import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { frontierRowStatements } from '../../src/storage/engine/add-urls.ts';
import { applyRemovalStatements } from '../../src/storage/engine/apply-removals.ts';
import { changeHistoryStatements } from '../../src/storage/engine/change-history.ts';
import { countStatements } from '../../src/storage/engine/crawl-counts.ts';
import { takeStatements } from '../../src/storage/engine/due-rows.ts';
import { duplicateStatements } from '../../src/storage/engine/duplicates.ts';
import { visitStatements } from '../../src/storage/engine/end-leases.ts';
import { folderStatements } from '../../src/storage/engine/folder-pages.ts';
import { frontierStatements } from '../../src/storage/engine/frontier.ts';
import { hostContentStatements, probeStatements } from '../../src/storage/engine/host-content.ts';
import { trustStatements } from '../../src/storage/engine/host-trust.ts';
import { hostStatements } from '../../src/storage/engine/hosts.ts';
import { laneStatements } from '../../src/storage/engine/lanes.ts';
import { linkTextStatements } from '../../src/storage/engine/link-texts.ts';
import { unfollowedLinkStatements } from '../../src/storage/engine/outlinks.ts';
import { patternStatements } from '../../src/storage/engine/patterns.ts';
import { linkStatements } from '../../src/storage/engine/record-links.ts';
import { removalStatements } from '../../src/storage/engine/removal-statements.ts';
import { removalListStatements } from '../../src/storage/engine/removals.ts';
import { renderStatements } from '../../src/storage/engine/render-observations.ts';
import { runControlStatements } from '../../src/storage/engine/run-control.ts';
import { planStatements } from '../../src/storage/engine/run-plan.ts';
import { runStatements } from '../../src/storage/engine/run-states.ts';
import { sitemapStatements } from '../../src/storage/engine/sitemaps.ts';
import { templateStatements } from '../../src/storage/engine/templates.ts';
import { urlBrowserStatements } from '../../src/storage/engine/url-browser.ts';
import { lookUpStatements } from '../../src/storage/engine/url-look-up.ts';
import { urlStatements } from '../../src/storage/engine/url-records.ts';
import { visitLogStatements } from '../../src/storage/engine/visit-log.ts';
import { fetchAll } from '../../src/storage/sql/operation.ts';
import { rawQuery, type Statement, statement } from '../../src/storage/sql/statement.ts';
import { migrate } from '../../src/storage/sqlite/migrate-with-copy.ts';
import { openForWriting, runOperation } from '../../src/storage/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const STATEMENTS = {
  ...named('counts', countStatements),
  ...named('take due', takeStatements),
  ...named('folders', folderStatements),
  ...named('frontier', frontierStatements),
  ...named('frontier rows', frontierRowStatements),
  ...named('habits', changeHistoryStatements),
  ...named('host content', hostContentStatements),
  ...named('host probes', probeStatements),
  ...named('hosts', hostStatements),
  ...named('inventory', urlBrowserStatements),
  ...named('lanes', laneStatements),
  ...named('links', linkStatements),
  ...named('left links', unfollowedLinkStatements),
  ...named('link texts', linkTextStatements),
  ...named('look-up', lookUpStatements),
  ...named('lists', sitemapStatements),
  ...named('patterns', patternStatements),
  ...named('plan', planStatements),
  ...named('run control', runControlStatements),
  ...named('removals', removalStatements),
  ...named('removal list', removalListStatements),
  ...named('render', renderStatements),
  ...named('runs', runStatements),
  ...named('templates', templateStatements),
  ...named('trust', trustStatements),
  ...named('settled removals', applyRemovalStatements),
  ...named('duplicates', duplicateStatements),
  ...named('urls', urlStatements),
  ...named('visits', visitStatements),
  ...named('visit log', visitLogStatements),
};

test.each(Object.entries(STATEMENTS))('%s reads urls and frontier through an index', async (_name, { sql, bind }) => {
  expect(await scansOf(sql, bind({}).length)).toEqual([]);
});

test('a scan would be seen', async () => {
  expect(await scansOf('SELECT * FROM urls WHERE url = ?', 1)).toEqual(['SCAN urls']);
});

async function scansOf(text: string, values: number): Promise<readonly string[]> {
  await using folder = await temporaryFolder();
  const db = openForWriting(`${folder.path}/store.db`);
  try {
    migrate(db, 'engine');
    const explain: Statement<Record<never, never>, { detail: string }> = {
      ...statement(() => rawQuery<{ detail: string }>(sql``)),
      sql: `EXPLAIN QUERY PLAN ${text}`,
      bind: () => new Array<null>(values).fill(null),
    };
    const plan = runOperation(db, fetchAll(explain, {})).map(({ detail }) => detail);
    return plan.filter((line) => /^SCAN (urls|frontier|target|source)\b/.test(line));
  } finally {
    db.close();
  }
}

function named(area: string, statements: object): Record<string, Statement<Record<string, null>, unknown>> {
  return Object.fromEntries(Object.entries(statements).map(([name, made]) => [`${area}.${name}`, made]));
}
