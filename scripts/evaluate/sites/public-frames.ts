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

/** Of a ministry: skip links, a banner of the phase, related pages beside the text, a question about the page. */
export const government: Frame = (site, article) => {
  const { speech } = site;
  const { labels } = speech;
  const related = article.related
    .map((one) => `<li class="gem-c-related-navigation__link">${linkTo(one, ' class="govuk-link"')}</li>`)
    .join('');
  const html = `${headOf(site, article, { separator: '-', metas: openGraphOf(site, article) })}<body class="govuk-template__body">
<div id="global-cookie-message" class="gem-c-cookie-banner" data-nosnippet role="region" aria-label="Cookies"><div class="govuk-width-container"><h2 class="gem-c-cookie-banner__heading">${speech.cookies[0]}</h2><p>${speech.cookies[1]}</p><button>OK</button></div></div>
<a href="#content" class="gem-c-skip-link">Skip to main content</a><header class="gem-c-layout-super-navigation-header"><a href="/" class="logotype">${site.name}</a><nav><ul>${menuOf(site)}</ul></nav></header>
<div id="wrapper" class="govuk-width-container"><div class="gem-c-breadcrumbs govuk-breadcrumbs"><ol class="govuk-breadcrumbs__list"><li class="govuk-breadcrumbs__list-item"><a class="govuk-breadcrumbs__link" href="/">${speech.home}</a></li><li class="govuk-breadcrumbs__list-item"><a class="govuk-breadcrumbs__link" href="${sectionOf(site, article)}">${article.section}</a></li></ol></div>
<main role="main" id="content"><div class="govuk-grid-row"><div class="govuk-grid-column-two-thirds"><div class="gem-c-title"><h1 class="gem-c-title__text govuk-heading-l">${article.title}</h1></div><div class="gem-c-govspeak govuk-govspeak">${partsOf(article, { lead: 'lead', part: 'section', list: 'list', heading: 'h2' })}${entriesOf(article, { list: 'govuk-list', entry: 'gem-c-document-list__item' })}</div></div>
<div class="govuk-grid-column-one-third"><nav class="gem-c-contextual-sidebar" aria-labelledby="related"><h2 id="related">${labels.related}</h2><ul>${related}</ul></nav></div></div></main></div>
<div class="gem-c-feedback"><h2 class="gem-c-feedback__prompt-question">${speech.feedback[0]}</h2><button>Yes</button><button>No</button><form hidden><h2>${speech.feedback[1]}</h2><textarea></textarea></form></div>
<footer class="gem-c-layout-footer"><div>${speech.footer.map((text) => `<p>${text}</p>`).join('')}</div></footer></body></html>`;
  return { html, unwanted: [...speech.cookies, ...speech.feedback, ...speech.footer] };
};

/** Of a town: the site's name as heading of every page, boxes for contact by department, a dialog before other sites. */
export const municipal: Frame = (site, article) => {
  const { speech } = site;
  const { labels } = speech;
  const aside = `<div class="kontaktbox box"><h3>${labels.contact}</h3><p>${speech.contact[0]}</p><p>${speech.contact[1]}</p><p>Tel. 0123 4567-${site.sections.indexOf(article.section)}0</p></div>`;
  const teasers = article.related
    .map(
      (one) =>
        `<div class="teaser"><h3>${linkTo(one)}</h3><p>${one.lead}</p><a class="mehr" href="${one.path}">${labels.more}</a></div>`,
    )
    .join('');
  const html = `${headOf(site, article, { separator: '|', metas: `<meta name="description" content="${article.lead}">` })}<body id="top" class="page">
<div id="exit-dialog" class="layer" style="display:none"><h2>${speech.leaving[0]}</h2><p>${speech.leaving[1]}</p><a class="btn" href="#">OK</a></div>
<div id="kopf"><h1 class="site-title"><a href="/"><img src="/assets/wappen.png" alt=""> ${site.name}</a></h1><div class="suche"><form><label>${labels.search}</label><input name="q"></form></div></div>
<div id="navigation"><ul class="nav level1">${menuOf(site)}</ul></div><div id="rootline" class="rootline"><a href="/">${speech.home}</a> &gt; <a href="${sectionOf(site, article)}">${article.section}</a> &gt; <span>${article.title}</span></div>
<div id="inhalt"><div class="csc-default"><h2 class="page-header">${article.title}</h2>${pictureOf(article)}${partsOf(article, { lead: 'bodytext intro', part: 'csc-textpic', list: 'csc-bulletlist', heading: 'h3' })}${entriesOf(article, { list: 'liste', entry: 'eintrag' })}</div></div>
<div id="rechts">${aside}${teasers}</div><div id="fuss">${speech.footer.map((text) => `<span>${text}</span>`).join(' | ')}</div></body></html>`;
  return { html, unwanted: [...speech.leaving, ...speech.contact, ...speech.footer, ...teasersOf(article)] };
};

/** Nested tables, fonts and images for corners. */
export const tables: Frame = (site, article) => {
  const { speech } = site;
  const left = menuOf(site, 'tr', '')
    .replaceAll('<tr>', '<tr><td bgcolor="#ddeeff"><font size="2">')
    .replaceAll('</tr>', '</font></td></tr>');
  const news = article.related
    .map((one) => `<font size="1"><b>${linkTo(one)}</b><br>${one.lead}</font><br><br>`)
    .join('');
  const html = `<html><head><title>${site.name} - ${article.title}</title><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body bgcolor="#ffffff" text="#000000">
<table width="780" border="0" cellspacing="0" cellpadding="0" align="center"><tr><td colspan="3"><table width="100%"><tr><td><img src="/gfx/logo.gif" width="180" height="60" alt="${site.name}"></td><td align="right"><font size="1">${speech.footer[1]}</font></td></tr></table></td></tr>
<tr valign="top"><td width="150"><table width="150">${left}</table></td><td width="480"><table width="100%" cellpadding="8"><tr><td><font size="1"><a href="/">${speech.home}</a> : <a href="${sectionOf(site, article)}">${article.section}</a> : ${article.title}</font><h1><font color="#003366">${article.title}</font></h1>
${partsOf(article, { lead: 'text', part: 'absatz', list: 'l', heading: 'h3' })}${entriesOf(article, { list: 'x', entry: 'y' })}<p align="center"><a href="#top"><img src="/gfx/up.gif" alt="up"></a></p></td></tr></table></td>
<td width="150"><table width="150" cellpadding="4"><tr><td bgcolor="#eeeeee"><font size="2"><b>News</b></font></td></tr><tr><td>${news}</td></tr><tr><td><font size="1">${speech.newsletter.join('<br>')}</font></td></tr></table></td></tr>
<tr><td colspan="3" align="center"><hr><font size="1">${speech.footer[0]} ${speech.footer[2]}</font></td></tr></table></body></html>`;
  return { html, unwanted: [...speech.footer, ...speech.newsletter, ...teasersOf(article)] };
};

/** Of a university: a menu with columns, quick links, cards of people, crumbs as JSON-LD and as list. */
export const campus: Frame = (site, article) => {
  const { speech } = site;
  const { labels } = speech;
  const crumbs = [
    [speech.home, '/'],
    [article.section, sectionOf(site, article)],
    [article.title, article.path],
  ].map(([name, item], at) => ({ '@type': 'ListItem', position: at + 1, name, item: `https://${site.host}${item}` }));
  const data = `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'BreadcrumbList', itemListElement: crumbs })}</script>`;
  const mega = site.sections
    .map(
      (section, at) =>
        `<div class="mega__column"><h3><a href="/s${at}/">${section}</a></h3><ul>${site.articles
          .filter((one) => one.section === section)
          .slice(0, 4)
          .map((one) => `<li>${linkTo(one)}</li>`)
          .join('')}</ul></div>`,
    )
    .join('');
  const html = `${headOf(site, article, { separator: '::', metas: `${openGraphOf(site, article)}${data}` })}<body class="path-node page-node-type-page has-sidebar">
<div class="dialog-off-canvas-main-canvas"><header class="header" role="banner"><div class="region region-header"><a class="site-branding__logo" href="/" rel="home"><img src="/assets/logo.svg" alt="${site.name}"></a></div><nav role="navigation" class="block block-menu navigation menu--main"><button>Menu</button><div class="mega">${mega}</div></nav></header>
<div class="region region-breadcrumb"><nav class="breadcrumb" role="navigation" aria-labelledby="system-breadcrumb"><h2 id="system-breadcrumb" class="visually-hidden">Breadcrumb</h2><ol><li><a href="/">${speech.home}</a></li><li><a href="${sectionOf(site, article)}">${article.section}</a></li><li>${article.title}</li></ol></nav></div>
<main role="main"><a id="main-content" tabindex="-1"></a><div class="layout-content"><div class="region region-content"><h1 class="page-title"><span class="field field--name-title">${article.title}</span></h1><article role="article" class="node node--type-page">${pictureOf(article)}<div class="node__content"><div class="clearfix text-formatted field field--name-body">${partsOf(article, { lead: 'lead', part: 'paragraph--type--text', list: 'field__items', heading: 'h2' })}</div>${entriesOf(article, { list: 'view-content', entry: 'views-row' })}</div></article></div></div>
<aside class="layout-sidebar-second" role="complementary"><div class="block block-block-content"><h2>${labels.contact}</h2><p>${speech.contact[0]}</p></div><div class="block block-views"><h2>${labels.related}</h2>${article.related.map((one) => `<div class="views-row"><h3>${linkTo(one)}</h3><div class="field-content">${one.lead}</div></div>`).join('')}</div></aside></main>
<footer class="site-footer"><div class="region region-footer"><h2>Quick links</h2><ul>${menuOf(site)}</ul><p>${speech.footer[0]}</p><p>${speech.footer[1]}</p></div></footer></div>
<div class="eu-cookie-compliance-banner sliding-popup-bottom"><div class="popup-content"><h2>${speech.cookies[0]}</h2><p>${speech.cookies[1]}</p></div></div></body></html>`;
  return {
    html,
    unwanted: [...speech.cookies, ...speech.footer.slice(0, 2), ...speech.contact.slice(0, 1), ...teasersOf(article)],
  };
};
