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
} from './frame-parts.ts';

/** A centre of help: a vote on the article, articles that were read before, a request beside them. */
export const helpCenter: Frame = (site, article) => {
  const { speech } = site;
  const { labels } = speech;
  const side = site.articles
    .filter((one) => one.section === article.section && one.listed.length === 0)
    .map((one) => `<li>${linkTo(one, ' class="sidenav-item"')}</li>`)
    .join('');
  const html = `${headOf(site, article, { separator: '–', metas: openGraphOf(site, article) })}<body class="community-enabled"><a class="skip-navigation" href="#main-content">Skip to main content</a><header class="header"><div class="logo"><a title="${speech.home}" href="/"><img src="/assets/logo.png" alt="${site.name}"><span>${site.name}</span></a></div><nav class="user-nav"><ul>${menuOf(site)}</ul></nav></header>
<main role="main"><div class="container-divider"></div><div class="container"><div class="sub-nav"><ol class="breadcrumbs"><li title="${site.name}"><a href="/">${site.name}</a></li><li title="${article.section}"><a href="${sectionOf(site, article)}">${article.section}</a></li></ol><form class="search"><input type="search" placeholder="${labels.search}"></form></div>
<div class="article-container" id="article-container"><aside class="article-sidebar"><div class="collapsible-sidebar"><h3 class="collapsible-sidebar-title sidenav-title">${article.section}</h3><ul>${side}</ul></div></aside>
<article id="main-content" class="article"><header class="article-header"><h1 title="${article.title}" class="article-title">${article.title}</h1><div class="article-author"><div class="article-meta"><div>${article.author}</div><div class="meta-group"><time datetime="${article.date}T10:00:00Z">${article.date}</time></div></div></div></header><section class="article-info"><div class="article-content"><div class="article-body">${pictureOf(article)}${partsOf(article, { lead: 'p1', part: 'block', list: 'ul1', heading: 'h2' })}${entriesOf(article, { list: 'article-list', entry: 'article-list-item' })}</div></div></section>
<footer><div class="article-footer"><h2 class="share-label">${labels.share}</h2></div><div class="article-votes"><h2 class="article-votes-question">${speech.feedback[0]}</h2><button>Yes</button><button>No</button><small>1${article.date.slice(-1)} of 2${article.date.slice(-1)}</small></div><div class="article-more-questions">${speech.contact[0]}</div></footer>
<div class="article-relatives"><section class="related-articles"><h2 class="related-articles-title">${labels.related}</h2><ul>${article.related.map((one) => `<li>${linkTo(one)}<p>${one.lead}</p></li>`).join('')}</ul></section></div></article></div></div></main><footer class="footer"><div class="footer-inner"><p>${speech.footer[0]}</p><p>${speech.footer[1]}</p></div></footer></body></html>`;
  return {
    html,
    unwanted: [
      speech.feedback[0] ?? '',
      speech.contact[0] ?? '',
      speech.footer[0] ?? '',
      speech.footer[1] ?? '',
      ...teasersOf(article),
    ],
  };
};

/** A forum: each part is the post of a member with a rank and a signature; the board's name is the first heading. */
export const forum: Frame = (site, article) => {
  const { speech } = site;
  const ranks = ['Journeyman', 'Apprentice', 'Old hand'];
  const words = { lead: 'first', part: 'content', list: 'ul', heading: 'h3' } as const;
  const [opening = '', ...bodies] = partsOf(article, words)
    .split('\n<div class="content">')
    .map((post, at) => (at === 0 ? post : `<div class="content">${post}`));
  const posts = [opening + (bodies[0] ?? ''), ...bodies.slice(1)].map(
    (post, at) =>
      `<div id="p${at}" class="post has-profile bg${at % 2}"><dl class="postprofile"><dt><a class="username" href="/u/${at}">${article.author.split(' ')[at % 2]}</a></dt><dd class="profile-rank"><h3>${ranks[at % 3]}</h3></dd><dd class="profile-posts"><strong>Posts:</strong> 4${at}7</dd></dl><div class="postbody"><h3 class="${at === 0 ? 'first' : ''}"><a href="#p${at}">Re: ${article.title}</a></h3><p class="author">${article.date} 10:0${at}</p>${post}<div class="signature">${speech.contact[at % 2]}</div></div></div>`,
  );
  const html = `${headOf(site, article, { separator: '-' })}<body id="phpbb" class="nojs notouch section-viewtopic"><div id="wrap" class="wrap"><div id="page-header"><div class="headerbar"><div id="site-description"><a id="logo" class="logo" href="/"><span class="site_logo"></span></a><h1>${site.name}</h1><p>${speech.footer[1]}</p></div></div><div class="navbar"><ul id="nav-main" class="nav-main linklist">${menuOf(site)}</ul><ul id="nav-breadcrumbs" class="nav-breadcrumbs linklist navlinks"><li class="breadcrumbs"><span class="crumb"><a href="/"><span>Board index</span></a></span> <span class="crumb"><a href="${sectionOf(site, article)}"><span>${article.section}</span></a></span></li></ul></div></div>
<div id="page-body" class="page-body" role="main"><h2 class="topic-title"><a href="${article.path}">${article.title}</a></h2><div class="action-bar bar-top"><a class="button" href="/reply">Post Reply</a><div class="pagination">${posts.length} posts • Page 1 of 1</div></div>${posts.join('<hr class="divider">')}${entriesOf(article, { list: 'topiclist topics', entry: 'row' })}
<div class="stat-block online-list"><h3>Who is online</h3><p>${speech.leaving[1]}</p></div></div><div id="page-footer" class="page-footer"><div class="copyright"><p>${speech.footer[0]}</p></div></div></div></body></html>`;
  return {
    html,
    unwanted: [speech.footer[1] ?? '', speech.leaving[1] ?? '', speech.footer[0] ?? '', ...speech.contact],
  };
};

/** A wiki: marks to edit at each heading, a table of contents, boxes of the same kind at the end of many pages. */
export const wiki: Frame = (site, article) => {
  const { speech } = site;
  const { labels } = speech;
  const contents = article.parts
    .map(
      ({ heading }, at) =>
        `<li class="toclevel-1"><a href="#s${at}"><span class="tocnumber">${at + 1}</span> <span class="toctext">${heading}</span></a></li>`,
    )
    .join('');
  const body = partsOf(article, { lead: 'lead', part: 'section', list: 'ul', heading: 'h2' }).replace(
    /<h2>([^<]*)<\/h2>/g,
    (_, heading: string) =>
      `<h2><span class="mw-headline" id="${heading}">${heading}</span><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="?edit">edit</a><span class="mw-editsection-bracket">]</span></span></h2>`,
  );
  const navbox = `<div class="navbox" role="navigation"><table class="nowraplinks"><tr><th colspan="2">${article.section}</th></tr><tr><td>${site.articles
    .filter((one) => one.section === article.section)
    .map((one) => linkTo(one))
    .join(' · ')}</td></tr></table></div>`;
  const html = `${headOf(site, article, { separator: '-' })}<body class="mediawiki ltr sitedir-ltr ns-0 ns-subject skin-vector"><div id="content" class="mw-body" role="main"><div id="siteNotice"><div class="sitenotice">${speech.newsletter[0]}</div></div><h1 id="firstHeading" class="firstHeading">${article.title}</h1><div id="bodyContent" class="vector-body"><div id="siteSub" class="noprint">From ${site.name}</div>
<div id="mw-content-text" class="mw-body-content"><div class="mw-parser-output">${pictureOf(article)}<div id="toc" class="toc" role="navigation"><h2>${labels.contents}</h2><ul>${contents}</ul></div>${body}${entriesOf(article, { list: 'mw-category', entry: 'mw-category-group' })}${navbox}</div><div class="printfooter">Retrieved from "https://${site.host}${article.path}"</div></div><div id="catlinks" class="catlinks"><div class="mw-normal-catlinks"><a href="/c">Category</a>: <ul><li><a href="${sectionOf(site, article)}">${article.section}</a></li></ul></div></div></div></div>
<div id="mw-navigation"><h2>Navigation menu</h2><div id="p-personal"><ul><li><a href="/login">Log in</a></li></ul></div><div id="mw-panel"><div id="p-logo"><a class="mw-wiki-logo" href="/"></a></div><nav id="p-navigation" class="portal"><h3>Navigation</h3><ul>${menuOf(site)}</ul></nav><nav id="p-tb" class="portal"><h3>Tools</h3><ul><li><a href="/x">What links here</a></li><li><a href="/y">Printable version</a></li></ul></nav></div></div>
<footer id="footer"><ul><li id="footer-info-lastmod">This page was last edited on ${article.date}.</li><li>${speech.footer[0]}</li></ul></footer></body></html>`;
  return {
    html,
    unwanted: [
      speech.newsletter[0] ?? '',
      speech.footer[0] ?? '',
      `Retrieved from "https://${site.host}`,
      'What links here',
      'This page was last edited on',
    ],
  };
};

/** An intranet: parts of pages in cells of a grid, the same web parts on each. */
export const intranet: Frame = (site, article) => {
  const { speech } = site;
  const { labels } = speech;
  const html = `${headOf(site, article, { separator: '|' })}<body><form id="aspnetForm"><div id="s4-ribbonrow"></div><div id="s4-workspace"><div id="s4-titlerow"><div id="siteIcon"><a class="ms-siteicon-a" href="/"><img class="ms-siteicon-img" src="/_layouts/15/images/siteIcon.png" alt="${site.name}"></a></div><div class="ms-breadcrumb-top"><div class="ms-core-navigation" role="navigation"><ul class="root static">${menuOf(site, 'li', ' class="static"')}</ul></div><h1 id="pageTitle" class="ms-core-pageTitle"><span><span><a href="/">${site.name}</a><span id="onetidPageTitleSeparator"><span> </span></span></span></span></h1></div></div>
<div id="contentRow"><div id="sideNavBox"><div class="ms-core-sideNavBox-removeLeftMargin"><ul>${site.articles
    .filter((one) => one.section === article.section)
    .map((one) => `<li class="static">${linkTo(one)}</li>`)
    .join(
      '',
    )}</ul></div></div><div id="contentBox"><div class="breadcrumb"><span><a href="/">${speech.home}</a></span><span> &gt; </span><span><a href="${sectionOf(site, article)}">${article.section}</a></span><span> &gt; </span><span>${article.title}</span></div><div id="DeltaPlaceHolderMain"><div class="welcome"><div class="ms-rtestate-field"><h2 class="ms-rteElement-H1">${article.title}</h2>${pictureOf(article)}${partsOf(article, { lead: 'ms-rteElement-P', part: 'ms-rtestate-field', list: 'dfwp-list', heading: 'h3' })}${entriesOf(article, { list: 'dfwp-column', entry: 'item' })}</div></div></div>
<div class="ms-webpart-zone"><div class="ms-webpart-chrome"><div class="ms-webpart-titleText"><h2>${labels.related}</h2></div><div class="ms-WPBody">${article.related.map((one) => `<div class="item link-item">${linkTo(one)}<div class="description">${one.lead}</div></div>`).join('')}</div></div><div class="ms-webpart-chrome"><h2>${labels.contact}</h2><div class="ms-WPBody"><p>${speech.contact[0]}</p><p>${speech.contact[1]}</p></div></div></div></div></div></div><div class="ms-dlgOverlay"></div><div id="footer">${speech.footer
    .slice(0, 2)
    .map((text) => `<div>${text}</div>`)
    .join('')}</div></form></body></html>`;
  return { html, unwanted: [...speech.contact, ...speech.footer.slice(0, 2), ...teasersOf(article)] };
};
