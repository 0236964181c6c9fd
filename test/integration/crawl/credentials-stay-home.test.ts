import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { markedNames } from '../../helpers/fetching.ts';
import { redirectTo, type SiteServer, startSiteServer } from '../../helpers/site-server.ts';

const SECRETS = {
  headers: { 'x-token': 'own-header' },
  cookies: { session: 'own-cookie' },
  basicAuth: { username: 'me', password: 'own-password' },
};

const secretsSeenBy = (site: SiteServer) =>
  site.requests.flatMap(({ headers }) => [headers['x-token'], headers.cookie, headers.authorization]).filter(Boolean);

test('no secret goes to another origin, wherever a redirect leads', async () => {
  await using stranger = await startSiteServer({}, { address: '127.0.0.2' });
  await using site = await startSiteServer({
    '/': page('Home', ['/out', `${stranger.origin}/`]),
    '/out': redirectTo(`${stranger.origin}/`),
    '/robots.txt': redirectTo(`${stranger.origin}/robots.txt`),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], ...SECRETS }, { privateNetworks: true });

  await crawl.crawl();

  expect(stranger.requests.map(({ path }) => path)).toEqual(['/robots.txt']);
  expect(secretsSeenBy(stranger)).toEqual([]);
  expect(secretsSeenBy(site)).toHaveLength(site.requests.length * 3);
  expect(await crawl.lastVisit(`${site.origin}/out`)).toMatchObject({ reason: 'redirected-out' });
});

test('what was given for a secure site is not sent in the clear', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl(
    {
      seeds: ['https://docs.example/'],
      domains: ['docs.example', `docs.example:${site.port}`],
      ...markedNames('docs.example'),
      ...SECRETS,
    },
    { names: { 'docs.example': ['127.0.0.1'] } },
  );

  await crawl.queue(`http://docs.example:${site.port}/`);
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`http://docs.example:${site.port}/`]);
  expect(secretsSeenBy(site)).toEqual([]);
});
