import { expect, test } from 'vitest';
import {
  assignmentOf,
  crawlerSettingRows,
  type DescribedSetting,
  engineSettingRows,
} from '../../../scripts/settings-page.ts';
import {
  ENGINE_DEFAULTS,
  ENGINE_SETTINGS,
  PUBLIC_DEFAULTS,
  PUBLIC_SETTINGS,
} from '../../../src/accounts/engine-settings.ts';
import { mergePatch } from '../../../src/accounts/manage-engines.ts';
import { membersOf } from '../../../src/cli/command.ts';
import { crawlSettings, parseCrawlSettings } from '../../../src/crawl/rules/settings.ts';

/** A crawler to which every example may be added. */
const SITE = { seeds: ['http://www.example.com/'] };

const rowsOf = (rows: readonly DescribedSetting[]) => rows.map((row) => [row.name, row] as const);
/** What a shell hands over. */
const wordOf = (row: DescribedSetting) => assignmentOf(row).replace(/^'([\s\S]*)'$/, '$1');

test.each(rowsOf(crawlerSettingRows()))(
  'the example of %s is one that a crawler takes, and no default',
  (_name, row) => {
    const before = parseCrawlSettings(SITE);

    const after = parseCrawlSettings(mergePatch(SITE, membersOf([wordOf(row)])));

    expect(after).not.toEqual(before);
    expect(row.meaning).toMatch(/^\S.*\.$/);
  },
);

test.each(rowsOf(engineSettingRows()))(
  'the example of %s is one that an engine takes, and no default',
  (_name, row) => {
    const { publicSettings, ...members } = membersOf([wordOf(row)]);

    const settings = { ...ENGINE_SETTINGS.parse(members), publicSettings: PUBLIC_SETTINGS.parse(publicSettings ?? {}) };

    expect(settings).not.toEqual({ ...ENGINE_DEFAULTS, publicSettings: PUBLIC_DEFAULTS });
    expect(row.meaning).toMatch(/^\S.*\.$/);
  },
);

test('the page names every setting', () => {
  const ofCrawlers = new Set(crawlerSettingRows().map(({ name }) => name.split('.')[0]));
  const ofEngines = new Set(engineSettingRows().map(({ name }) => name.split('.')[0]));

  expect([...ofCrawlers]).toEqual(Object.keys(crawlSettings.shape));
  expect([...ofEngines]).toEqual([...Object.keys(ENGINE_SETTINGS.shape), 'publicSettings']);
});
