import { expect, test } from 'vitest';
import { openCrawl } from '../../helpers/crawl.ts';
import { type Route, startSiteServer } from '../../helpers/site-server.ts';
import { dynamic, html, ownText, REAL_PAGES, realPage, realPath, siteWith, wordOf } from '../../helpers/trap-site.ts';

type Trap = {
  readonly name: string;
  readonly site: Readonly<Record<string, Route>>;
  /** Requests that a site without the trap would not have had. */
  readonly isWasted: (path: string) => boolean;
};

const startsWith = (prefix: string) => (path: string) => path.startsWith(prefix);
let counter = 0;
const random = () => `${wordOf(counter++ * 7919)}${counter}`;
const hex = () => (counter++ * 2_654_435_761 + 99_999_999_999).toString(16).padStart(12, '0');

/** Months without end, each with its days. */
function calendar(): Trap {
  const months = dynamic((path) => {
    const [year = 0, month = 0, day] = path.split('/').slice(2).map(Number);
    const at = new Date(Date.UTC(year || 0, (month || 1) - 1, 1));
    const name = at.toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    if (day !== undefined) return html(`${day} ${name}`, `There are no events on ${day} ${name}. Choose another day.`);
    const link = (step: number) => {
      const other = new Date(Date.UTC(year, month - 1 + step, 1));
      return `/calendar/${other.getUTCFullYear()}/${other.getUTCMonth() + 1}`;
    };
    const days = [3, 12, 21].map((n) => `/calendar/${year}/${month}/${n}`);
    return html(name, `Events in ${name}. There are none. Look at the months before and after this one.`, [
      ...[link(-1), link(1), ...days],
    ]);
  });
  return {
    name: 'a calendar without end',
    site: siteWith({ entries: ['/calendar/2026/11'], routes: { '*': months } }),
    isWasted: startsWith('/calendar/'),
  };
}

function futureDates(): Trap {
  const days = dynamic((path) => {
    const at = Date.parse(path.slice('/events/'.length)) || 0;
    const on = (time: number) => `/events/${new Date(time).toISOString().slice(0, 10)}`;
    const week = 7 * 86_400_000;
    return html(path, `${ownText(Math.floor(at / week))}`, [on(at + week), on(at + 26 * week)]);
  });
  return {
    name: 'dates far ahead, each with a text of its own',
    site: siteWith({ entries: ['/events/2028-06-05', '/events/2029-01-08'], routes: { '*': days } }),
    isWasted: (path) => path.startsWith('/events/') && path > '/events/2029',
  };
}

const teaser = (n: number) =>
  `${wordOf(n * 31)} ${wordOf(n * 57)} for the ${wordOf(n * 91)} of every ${wordOf(n * 13)}.`;

/** Filters of a shop in all combinations; each result is another choice of the same 60 products. */
function facets(): Trap {
  const names = ['color', 'size', 'brand', 'price', 'rating', 'stock'];
  const shop = dynamic((_path, query) => {
    const chosen = [...query].map(([name, value]) => names.indexOf(name) * 5 + Number(value));
    const products = Array.from({ length: 60 }, (_, n) => n).filter((n) => chosen.every((c) => (n * 7 + c) % 3 !== 0));
    const more = names
      .filter((name) => !query.has(name))
      .flatMap((name) =>
        [1, 2, 3, 4].map((value) => {
          const wanted = new URLSearchParams(query);
          wanted.set(name, String(value));
          return `/shop?${wanted}`;
        }),
      );
    const title = `Products ${[...query.values()].join(' ')}`;
    return html(title, products.slice(0, 20).map(teaser).join(' '), more);
  });
  return {
    name: 'filters of a shop in all combinations',
    site: siteWith({ entries: ['/shop'], routes: { '/shop': shop } }),
    isWasted: startsWith('/shop?'),
  };
}

function sortOrders(): Trap {
  const list = dynamic((_path, query) => {
    const products = Array.from({ length: 20 }, (_, n) => n);
    const by = Number(query.get('sort') ?? 0) + Number(query.get('rows') ?? 0);
    const sorted = products.toSorted((a, b) => ((a * 7 + by) % 20) - ((b * 7 + by) % 20));
    const links = Array.from({ length: 12 }, (_, i) => `/list?sort=${(by + i) % 97}&rows=${i + by}&view=${i % 3}`);
    return html('All products', sorted.map(teaser).join(' '), links);
  });
  return {
    name: 'sort orders of one list',
    site: siteWith({ entries: ['/list'], routes: { '/list': list } }),
    isWasted: startsWith('/list?'),
  };
}

/** Each answer names the whole site under a new session. */
function sessionsInPaths(): Trap {
  const pages = Array.from({ length: 20 }, (_, n) => n);
  const links = () => pages.map((n) => `/s/${hex()}${realPath(n)}`);
  const copy = dynamic((path) => {
    const n = pages.find((each) => path.endsWith(realPath(each))) ?? 0;
    return realPage(n, links());
  });
  return {
    name: 'a session in the path',
    site: siteWith({ entries: links(), routes: { '*': copy } }),
    isWasted: startsWith('/s/'),
  };
}

function sessionsInQueries(): Trap {
  const pages = Array.from({ length: REAL_PAGES }, (_, n) => n);
  const link = (n: number) => `${realPath(n)}?visitor=${random()}`;
  const routes = pages.map((n) => [
    realPath(n),
    dynamic(() => realPage(n, [link((n + 3) % 100), link((n + 9) % 100)])),
  ]);
  return {
    name: 'a session in the query',
    site: siteWith({ entries: [], routes: Object.fromEntries(routes) }),
    isWasted: (path) => path.includes('?visitor='),
  };
}

function growingEscapes(): Trap {
  const grown = dynamic((path) => html('Search', ownText(path.length), [`/find/${encodeURIComponent(path)}`]));
  return {
    name: 'escapes that grow',
    site: siteWith({ entries: ['/find/a%20b'], routes: { '*': grown } }),
    isWasted: startsWith('/find/'),
  };
}

function deepeningPaths(): Trap {
  const deep = dynamic((path) => html('Help', ownText(path.length), ['help/topics/', 'help/', 'topics/help/']));
  return {
    name: 'relative links that deepen the path',
    site: siteWith({ entries: ['/help/'], routes: { '*': deep } }),
    isWasted: (path) => path.startsWith('/help/') && path !== '/help/',
  };
}

function pagination(): Trap {
  const list = dynamic((_path, query) => {
    const page = Number(query.get('page') ?? 1);
    const shown = Math.min(page, 5);
    const teasers = Array.from({ length: 10 }, (_, i) => teaser(shown * 10 + i));
    return html('News', teasers.join(' '), [`/news?page=${page + 1}`, `/news?page=${page + 2}`]);
  });
  return {
    name: 'pages of a list without end',
    site: siteWith({ entries: ['/news'], routes: { '/news': list } }),
    isWasted: (path) => path.startsWith('/news?') && Number(path.split('=')[1]) > 5,
  };
}

function randomQueries(): Trap {
  const about = dynamic(() => html('About us', ownText(4_000), [`/about?r=${random()}`, `/about?r=${random()}`]));
  return {
    name: 'a random query',
    site: siteWith({ entries: ['/about'], routes: { '/about': about } }),
    isWasted: startsWith('/about?'),
  };
}

/** Results of a search name other searches. */
function searches(): Trap {
  const results = dynamic((_path, query) => {
    const asked = query.get('q') ?? '';
    const hits = Array.from({ length: 8 }, (_, i) => (asked.length * 5 + asked.charCodeAt(0) + i * 3) % 40);
    const related = Array.from({ length: 6 }, () => `/search?q=${random()}`);
    const text = `${hits.length} results for ${asked}. ${hits.map(teaser).join(' ')}`;
    return html(`Search for ${asked}`, text, [...hits.map(realPath), ...related]);
  });
  return {
    name: 'searches that name searches',
    site: siteWith({ entries: ['/search?q=start'], routes: { '/search': results } }),
    isWasted: startsWith('/search?'),
  };
}

/** Pages that do not exist answer 200 and name others. */
function emptyWiki(): Trap {
  const empty = dynamic((path) => {
    const text = `There is no page ${path.slice(6)} yet. You can write it.`;
    return html(
      'No page',
      text,
      Array.from({ length: 5 }, () => `/wiki/${random()}`),
    );
  });
  return {
    name: 'a wiki of empty pages',
    site: siteWith({ entries: ['/wiki/start', '/wiki/news'], routes: { '*': empty } }),
    isWasted: startsWith('/wiki/'),
  };
}

function printAndShare(): Trap {
  const pages = Array.from({ length: REAL_PAGES }, (_, n) => n);
  const routes = pages.map((n) => {
    const path = realPath(n);
    const share = `/share?page=${encodeURIComponent(path)}`;
    return [path, realPage(n, [`${path}?print=1`, `${path}?view=large`, share])] as const;
  });
  const share = dynamic((_path, query) => html('Share', `Tell a friend about ${query.get('page')}.`));
  return {
    name: 'copies to print and to share',
    site: siteWith({ entries: [], routes: { ...Object.fromEntries(routes), '/share': share } }),
    isWasted: (path) => path.includes('?'),
  };
}

test.each([
  calendar(),
  futureDates(),
  facets(),
  sortOrders(),
  sessionsInPaths(),
  sessionsInQueries(),
  growingEscapes(),
  deepeningPaths(),
  pagination(),
  randomQueries(),
  searches(),
  emptyWiki(),
  printAndShare(),
])('$name costs at most 50 visits and no real page', async ({ site: routes, isWasted }) => {
  await using site = await startSiteServer(routes);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], limits: { pages: 1_000 } });

  await crawl.crawl();

  const documents = new Set(await crawl.documents());
  const lost = Array.from({ length: REAL_PAGES }, (_, n) => realPath(n)).filter(
    (path) => !documents.has(site.origin + path),
  );
  const wasted = site.requests.filter(({ path }) => isWasted(path));
  expect({ lost, wasted: wasted.length }).toEqual({ lost: [], wasted: expect.toSatisfy((count) => count <= 50) });
});
