import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { type Behaviour, type Page, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const behindPassword =
  (content: Page): Behaviour =>
  (request, response) => {
    const sent = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString('utf8');
    if (sent === 'søren:grød:1') sendPage(response, content);
    else sendPage(response, { status: 401, headers: { 'www-authenticate': 'Basic realm="docs"' }, body: 'no' });
  };

test('a site behind basic authentication is read with the password of the crawler', async () => {
  await using site = await startSiteServer({
    '/': behindPassword(page('Home', ['/a'])),
    '/a': behindPassword(page('Alpha')),
  });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    basicAuth: { username: 'søren', password: 'grød:1' },
  });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/a`]);
});

test('a wrong password is a failed visit that says forbidden, and a right one mends it without a restart', async () => {
  await using site = await startSiteServer({ '/': behindPassword(page('Home')) });
  const settings = { seeds: [`${site.origin}/`], basicAuth: { username: 'søren', password: 'wrong' } };
  await using crawl = await openCrawl(settings);
  await crawl.crawl();
  expect(await crawl.lastVisit(`${site.origin}/`)).toMatchObject({ httpStatus: 401, reason: 'forbidden' });

  await crawl.change({ ...settings, basicAuth: { username: 'søren', password: 'grød:1' } });
  await crawl.queue(`${site.origin}/`);
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});
