import { expect, test } from 'vitest';
import { applyRemovalStatements } from '../../src/storage/sql/apply-removals.ts';
import { changeHistoryStatements } from '../../src/storage/sql/change-history.ts';
import { countStatements } from '../../src/storage/sql/crawl-counts.ts';
import { duplicateStatements } from '../../src/storage/sql/duplicate-records.ts';
import { folderStatements } from '../../src/storage/sql/folder-pages.ts';
import { frontierStatements } from '../../src/storage/sql/frontier.ts';
import { hostContentStatements } from '../../src/storage/sql/host-content.ts';
import { probeStatements } from '../../src/storage/sql/host-probes.ts';
import { trustStatements } from '../../src/storage/sql/host-trust.ts';
import { hostStatements } from '../../src/storage/sql/hosts.ts';
import { laneStatements } from '../../src/storage/sql/lanes.ts';
import { lookUpStatements } from '../../src/storage/sql/look-up.ts';
import { migrate } from '../../src/storage/sql/migrate.ts';
import { patternStatements } from '../../src/storage/sql/patterns.ts';
import { removalListStatements } from '../../src/storage/sql/removal-list.ts';
import { removalStatements } from '../../src/storage/sql/removal-statements.ts';
import { renderStatements } from '../../src/storage/sql/render-observations.ts';
import { runControlStatements } from '../../src/storage/sql/run-control.ts';
import { planStatements } from '../../src/storage/sql/run-plan.ts';
import { runStatements } from '../../src/storage/sql/runs.ts';
import { sitemapStatements } from '../../src/storage/sql/sitemaps.ts';
import { openForWriting } from '../../src/storage/sql/sqlite-database.ts';
import { type Statement, statement } from '../../src/storage/sql/statement.ts';
import { takeStatements } from '../../src/storage/sql/take-due.ts';
import { templateStatements } from '../../src/storage/sql/templates.ts';
import { unfollowedLinkStatements } from '../../src/storage/sql/unfollowed-links.ts';
import { urlBrowserStatements } from '../../src/storage/sql/url-browser.ts';
import { urlStatements } from '../../src/storage/sql/url-records.ts';
import { visitLogStatements } from '../../src/storage/sql/visit-log.ts';
import { visitStatements } from '../../src/storage/sql/visits.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const STATEMENTS = {
  ...named('counts', countStatements),
  ...named('take due', takeStatements),
  ...named('folders', folderStatements),
  ...named('frontier', frontierStatements),
  ...named('habits', changeHistoryStatements),
  ...named('host content', hostContentStatements),
  ...named('host probes', probeStatements),
  ...named('hosts', hostStatements),
  ...named('inventory', urlBrowserStatements),
  ...named('lanes', laneStatements),
  ...named('left links', unfollowedLinkStatements),
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
      ...statement(() => ({ compile: () => ({ sql: '', parameters: [] }) as never })),
      sql: `EXPLAIN QUERY PLAN ${text}`,
      bind: () => new Array<null>(values).fill(null),
    };
    const plan = db.allOf(explain, {}).map(({ detail }) => detail);
    return plan.filter((line) => /^SCAN (urls|frontier|target|source)\b/.test(line));
  } finally {
    db.close();
  }
}

function named(area: string, statements: object): Record<string, Statement<Record<string, null>, unknown>> {
  return Object.fromEntries(Object.entries(statements).map(([name, made]) => [`${area}.${name}`, made]));
}
