import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';

const NOINDEX = '<meta name="robots" content="noindex">';

test('a later noindex removes the document at the second sighting', async () => {
  await using shared = await crawledSite(10);
  shared.site.set('/p3', page('Page /p3', [], NOINDEX));

  await shared.round();
  expect(await shared.crawl.documents()).toHaveLength(11);
  await shared.recheck();

  expect(await shared.crawl.documents()).toHaveLength(10);
  expect(await shared.crawl.lastVisit(shared.url('/p3'))).toMatchObject({ outcome: 'removed', reason: 'noindex' });
});

test('a 404 and a noindex are not two sightings of the same', async () => {
  await using shared = await crawledSite(10);
  shared.site.set('/p3', page('Page /p3', [], NOINDEX));
  await shared.round();
  shared.site.set('/p3', { status: 404 });

  await shared.recheck();

  expect(await shared.crawl.documents()).toHaveLength(11);
});

test('when a whole site says noindex, it is not believed', async () => {
  await using shared = await crawledSite(20);
  for (const path of shared.paths) shared.site.set(path, page(`Page ${path}`, [], NOINDEX));

  await shared.round();
  await shared.recheck();

  expect(await shared.crawl.documents()).toHaveLength(21);
});
