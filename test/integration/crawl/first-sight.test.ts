import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';
import { type Page, startSiteServer } from '../../helpers/site-server.ts';
import { html, ownText } from '../../helpers/trap-site.ts';

const FORM = '<form><label>Name <input name="user"></label><input type="password" name="word"></form>';
const signIn = (title: string, heading: string): Page => ({
  body: `<html><head><title>${title}</title></head><body><main><h1>${heading}</h1><p>Please say who you are.</p>${FORM}</main></body></html>`,
});

test.each<[string, Page]>([
  ['no bytes', { body: '' }],
  ['blanks', { body: ' \n\t ' }],
  ['a page that says nothing of itself', { body: '<html><head></head><body><div></div></body></html>' }],
])('an answer of 200 with %s becomes no document that is titled after its path', async (_, answer) => {
  await using site = await startSiteServer({ '/': page('Home', ['/annual-report']), '/annual-report': answer });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], render: 'never' });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
  expect(await crawl.lastVisit(`${site.origin}/annual-report`)).toMatchObject({ outcome: 'skipped', reason: 'empty' });
});

test.each([
  ['Log in', 'Log in'],
  ['Sign in - Example', 'Welcome'],
  ['Intranet', 'Bitte anmelden'],
  ['Connexion', 'Connexion'],
  ['ログイン', 'ログイン'],
])('a sign-in page that is met first is not indexed, and says why: %s', async (title, heading) => {
  await using site = await startSiteServer({ '/': page('Home', ['/members']), '/members': signIn(title, heading) });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
  expect(await crawl.lastVisit(`${site.origin}/members`)).toMatchObject({ outcome: 'skipped', reason: 'login-wall' });
});

test('a page with a field for a password beside its own text, or without a word of signing in, is indexed', async () => {
  const beside = html('How to log in', ownText(1), [], '');
  await using site = await startSiteServer({
    '/': page('Home', ['/help', '/short']),
    '/help': { body: String(beside.body).replace('</main>', `</main>${FORM}`) },
    '/short': signIn('Opening hours', 'Opening hours'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(3);
});

test('a page that is stored as a sign-in page leaves by no rule about first sights', async () => {
  await using shared = await crawledSite(3, {}, {});
  shared.site.set('/p1', signIn('Log in', 'Log in'));

  await shared.round();

  expect(await shared.crawl.documents()).toHaveLength(4);
});
