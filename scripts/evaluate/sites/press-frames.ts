import {
  entriesOf,
  type Frame,
  headOf,
  linkTo,
  menuOf,
  openGraphOf,
  partsOf,
  pictureOf,
  sectionOf,
  teasersOf,
  urlOf,
} from './frame-parts.ts';

/** A blog: the post between buttons to share, the box of its author, posts before and behind, and a form. */
export const blog: Frame = (site, article) => {
  const { speech } = site;
  const { labels } = speech;
  const cards = article.related
    .map(
      (one) =>
        `<article class="related-post"><a href="${one.path}"><img src="/media/thumb.jpg" alt="" width="150" height="150"></a><h4 class="entry-title">${linkTo(one)}</h4><p class="excerpt">${one.lead}</p></article>`,
    )
    .join('');
  const html = `${headOf(site, article, { separator: '–', metas: openGraphOf(site, article) })}<body class="post-template-default single single-post">
<div id="page" class="hfeed site"><header id="masthead" class="site-header"><p class="site-title"><a href="/" rel="home">${site.name}</a></p><nav id="site-navigation" class="main-navigation"><ul id="menu-main" class="menu">${menuOf(site, 'li', ' class="menu-item"')}</ul></nav></header>
<div id="content" class="site-content"><div class="yoast-breadcrumbs" id="breadcrumbs"><span><span><a href="/">${speech.home}</a></span> » <span><a href="${sectionOf(site, article)}">${article.section}</a></span> » <span class="breadcrumb_last" aria-current="page">${article.title}</span></span></div>
<main id="main"><article class="post type-post hentry"><header class="entry-header"><h1 class="entry-title">${article.title}</h1><div class="entry-meta"><span class="byline"><a class="url fn n" href="/author/x">${article.author}</a></span> <time class="entry-date published" datetime="${article.date}T08:00:00+00:00">${article.date}</time></div></header>
<div class="sharedaddy"><h3 class="sd-title">${labels.share}</h3><ul><li><a href="#fb">Facebook</a></li><li><a href="#x">X</a></li></ul></div><div class="entry-content">${pictureOf(article)}${partsOf(article, { lead: 'has-large-font-size', part: 'wp-block-group', list: 'wp-block-list', heading: 'h2' })}${entriesOf(article, { list: 'posts', entry: 'hentry' })}</div>
<footer class="entry-footer"><span class="cat-links"><a href="${sectionOf(site, article)}" rel="category tag">${article.section}</a></span></footer></article>
<div class="jp-relatedposts"><h3>${labels.related}</h3>${cards}</div><div id="comments"><div id="respond"><h3 id="reply-title">${labels.comments}</h3><form><p class="comment-notes">${speech.feedback[1]}</p><textarea></textarea></form></div></div></main>
<aside id="secondary" class="widget-area"><section class="widget widget_search"><h2 class="widget-title">${labels.search}</h2></section><section class="widget widget_mc4wp"><h2 class="widget-title">Newsletter</h2><p>${speech.newsletter[0]}</p><p>${speech.newsletter[1]}</p></section></aside></div>
<footer id="colophon" class="site-footer"><p>${speech.footer[0]}</p><p>${speech.footer[2]}</p></footer></div><div id="cookie-law-info-bar"><span>${speech.cookies[0]} <a class="cky">OK</a></span></div></body></html>`;
  return {
    html,
    unwanted: [
      speech.feedback[1] ?? '',
      ...speech.newsletter,
      speech.footer[0] ?? '',
      speech.footer[2] ?? '',
      speech.cookies[0] ?? '',
      ...teasersOf(article),
    ],
  };
};

/** A newspaper: recommendations between the paragraphs, lists of what is read most, a wall of consent. */
export const newspaper: Frame = (site, article) => {
  const { speech } = site;
  const { labels } = speech;
  const others = site.articles.filter((one) => one.section !== article.section && one.listed.length === 0);
  const at = site.articles.indexOf(article);
  const read = Array.from({ length: 5 }, (_, step) => others[(at + step * 3) % others.length]).filter(
    (one) => one !== undefined,
  );
  const [first, ...rest] = article.related;
  const inline =
    first === undefined
      ? ''
      : `<aside class="article-inline-teaser"><a href="${first.path}"><span class="kicker">${labels.more}</span><strong>${first.title}</strong><p>${first.lead}</p></a></aside>`;
  const [intro = '', ...body] = partsOf(article, {
    lead: 'article-lead',
    part: 'article-section',
    list: 'article-list',
    heading: 'h2',
  }).split('\n');
  const data = {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    headline: article.title,
    datePublished: `${article.date}T06:00:00+01:00`,
    author: [{ '@type': 'Person', name: article.author }],
    publisher: {
      '@type': 'NewsMediaOrganization',
      name: site.name,
      logo: { '@type': 'ImageObject', url: urlOf(site, '/assets/logo.png') },
    },
  };
  const html = `${headOf(site, article, { separator: '|', metas: `${openGraphOf(site, article)}<meta property="og:type" content="article"><script type="application/ld+json">${JSON.stringify(data)}</script>` })}<body class="article-page">
<div id="consent-layer" class="cmp-root" role="dialog" aria-modal="true"><h2>${speech.cookies[0]}</h2><p>${speech.cookies[1]}</p><button>OK</button></div>
<header class="page-header"><a href="/" class="page-header__logo">${site.name}</a><nav class="nav-sections"><ul>${menuOf(site)}</ul></nav><a href="/abo" class="abo-button">Abo</a></header>
<main><article class="article"><header class="article-header"><ul class="breadcrumb"><li><a href="/">${site.name}</a></li><li><a href="${sectionOf(site, article)}">${article.section}</a></li></ul><h1 class="article-title">${article.title}</h1><div class="article-author">${article.author}, <time datetime="${article.date}">${article.date}</time></div></header>
${pictureOf(article)}<div class="article-body">${intro}<div class="ad-slot" data-ad="1"><span>Advertisement</span></div>${body.join('\n')}${inline}${entriesOf(article, { list: 'teaser-list', entry: 'teaser' })}</div><div class="article-newsletter"><h3>Newsletter</h3><p>${speech.newsletter[0]}</p><p>${speech.newsletter[1]}</p></div></article>
<section class="recommendations"><h2>${labels.related}</h2>${rest.map((one) => `<article class="teaser-small"><a href="${one.path}"><h3>${one.title}</h3><p>${one.lead}</p></a></article>`).join('')}</section>
<aside class="most-read"><h2>Top 5</h2><ol>${read.map((one) => `<li>${linkTo(one)}<p>${one.lead}</p></li>`).join('')}</ol></aside></main>
<footer class="page-footer"><p>${speech.footer[0]}</p><p>${speech.footer[2]}</p></footer></body></html>`;
  return {
    html,
    unwanted: [
      ...speech.cookies,
      ...speech.newsletter,
      speech.footer[0] ?? '',
      speech.footer[2] ?? '',
      ...teasersOf(article),
      ...read.map(({ lead }) => lead),
    ],
  };
};

/** Names of a framework of classes only: no element says what it holds, windows are at the end of the page. */
export const utilities: Frame = (site, article) => {
  const { speech } = site;
  const cards = article.related
    .map(
      (one) =>
        `<a href="${one.path}" class="block rounded-2xl border p-6"><div class="text-lg font-semibold">${one.title}</div><div class="mt-2 text-sm text-gray-600">${one.lead}</div></a>`,
    )
    .join('');
  const html = `${headOf(site, article, { separator: '·', metas: openGraphOf(site, article) })}<body class="antialiased"><div id="__next"><div class="sticky top-0 z-50 flex items-center justify-between px-6"><a href="/" class="flex"><img src="/assets/logo.svg" width="32" height="32" alt=""><span class="font-bold">${site.name}</span></a><div class="hidden md:flex gap-8">${menuOf(site, 'div', ' class="text-sm"')}</div></div>
<div class="mx-auto max-w-3xl px-6"><div class="flex gap-2 text-xs text-gray-500"><a href="/">${speech.home}</a><span>/</span><a href="${sectionOf(site, article)}">${article.section}</a></div><h1 class="mt-4 text-4xl font-extrabold tracking-tight">${article.title}</h1>${pictureOf(article)}<div class="prose mt-8">${partsOf(article, { lead: 'text-xl', part: 'mt-8', list: 'list-disc pl-6', heading: 'h2' })}${entriesOf(article, { list: 'grid gap-4', entry: 'p-4' })}</div></div>
<div class="bg-gray-50 py-16"><div class="mx-auto max-w-7xl"><h2 class="text-2xl font-bold">${speech.labels.related}</h2><div class="mt-6 grid grid-cols-3 gap-6">${cards}</div></div></div>
<div class="bg-indigo-700 py-16 text-white"><h2 class="text-3xl font-bold">${speech.newsletter[0]}</h2><p class="mt-2">${speech.newsletter[1]}</p><form class="mt-6 flex"><input type="email"><button class="rounded">OK</button></form></div>
<div class="border-t py-12 text-sm text-gray-500"><div class="grid grid-cols-4">${menuOf(site, 'div')}</div><div>${speech.footer[0]}</div><div>${speech.footer[2]}</div></div>
<div class="fixed inset-0 hidden" id="leave-modal"><div class="rounded bg-white p-8"><h3 class="text-xl">${speech.leaving[0]}</h3><p>${speech.leaving[1]}</p></div></div><div class="fixed bottom-4 right-4 rounded bg-white p-4 shadow-lg"><p>${speech.cookies[0]}</p><button>OK</button></div></div></body></html>`;
  return {
    html,
    unwanted: [
      ...speech.newsletter,
      speech.footer[0] ?? '',
      speech.footer[2] ?? '',
      ...speech.leaving,
      speech.cookies[0] ?? '',
      ...teasersOf(article),
    ],
  };
};

/** Of an association: boxes in three columns, the site's name and motto as headings, the text in the middle. */
export const columns: Frame = (site, article) => {
  const { speech } = site;
  const { labels } = speech;
  const html = `${headOf(site, article, { separator: '-' })}<body class="site com_content view-article"><div class="body"><header class="header" role="banner"><h1 class="brand"><a href="/">${site.name}</a></h1><h2 class="site-description">${speech.footer[1]}</h2></header>
<nav class="navigation"><ul class="nav menu nav-pills">${menuOf(site, 'li', ' class="item-101"')}</ul></nav><div class="row-fluid"><div id="sidebar" class="span3"><div class="well moduletable"><h3 class="page-header">${labels.related}</h3><ul class="category-module">${article.related.map((one) => `<li>${linkTo(one, ' class="mod-articles-category-title"')}<p class="mod-articles-category-introtext">${one.lead}</p></li>`).join('')}</ul></div><div class="well moduletable"><h3 class="page-header">Login</h3><form><label>User</label><input><label>Password</label><input></form></div></div>
<main id="content" role="main" class="span6"><div class="breadcrumbs"><ul class="breadcrumb"><li class="active"><span class="divider icon-location"></span></li><li><a href="/" class="pathway"><span>${speech.home}</span></a></li><li><a href="${sectionOf(site, article)}" class="pathway"><span>${article.section}</span></a></li><li class="active"><span>${article.title}</span></li></ul></div><div class="item-page"><div class="page-header"><h2 itemprop="headline">${article.title}</h2></div><dl class="article-info"><dt>Details</dt><dd class="createdby">${article.author}</dd><dd class="hits">Hits: 1${article.date.slice(-2)}</dd></dl><div itemprop="articleBody">${pictureOf(article)}${partsOf(article, { lead: 'intro', part: 'text', list: 'ul', heading: 'h3' })}${entriesOf(article, { list: 'items-leading', entry: 'item' })}</div><ul class="pager pagenav"><li class="previous"><a href="/p">&lt; Prev</a></li><li class="next"><a href="/n">Next &gt;</a></li></ul></div></main>
<div id="aside" class="span3"><div class="moduletable"><h3>Newsletter</h3><div class="custom"><p>${speech.newsletter[0]}</p><p>${speech.newsletter[1]}</p></div></div><div class="moduletable"><h3>${labels.contact}</h3><div class="custom"><p>${speech.contact[1]}</p></div></div></div></div></div><footer class="footer"><p>${speech.footer[0]}</p><p class="pull-right"><a href="#top">Top</a></p></footer></body></html>`;
  return {
    html,
    unwanted: [
      speech.footer[0] ?? '',
      speech.footer[1] ?? '',
      ...speech.newsletter,
      speech.contact[1] ?? '',
      ...teasersOf(article),
    ],
  };
};
