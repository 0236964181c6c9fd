import type { Frame } from './frame-parts.ts';
import { urlOf } from './frame-parts.ts';
import { forum, helpCenter, intranet, wiki } from './help-frames.ts';
import { type Article, halved, type MadeSite, madeSite } from './made-site.ts';
import { blog, columns, newspaper, utilities } from './press-frames.ts';
import { campus, government, municipal, tables } from './public-frames.ts';

const FRAMES: Readonly<Record<string, Frame>> = {
  government,
  municipal,
  tables,
  campus,
  blog,
  newspaper,
  utilities,
  columns,
  helpCenter,
  forum,
  wiki,
  intranet,
};

/** A page of a made site, and what is known of it. */
export type KnownPage = {
  readonly url: string;
  readonly html: string;
  readonly title: string;
  /** Texts that belong to it alone, or to it and a page that lists it. */
  readonly own: readonly string[];
  /** Texts of the frame and of recommendations. */
  readonly unwanted: readonly string[];
  /** All that is neither unwanted nor a label of the frame. */
  readonly texts: readonly string[];
  /** `''` where no breadcrumbs lead to the page; undefined of first pages of sections, which lie below themselves. */
  readonly category: string | undefined;
  readonly image: string | undefined;
};

export type KnownSite = { readonly frame: string; readonly site: MadeSite; readonly pages: readonly KnownPage[] };

/** 24 sites of 40 pages: twelve frames, each in two installations. */
export function knownSites(firstSeed = 0): readonly KnownSite[] {
  const frames = Object.entries(FRAMES);
  const sites = halved(Array.from({ length: frames.length * 2 }, (_, at) => madeSite(firstSeed + at)));
  return sites.map((site, at) => {
    const [frame, make] = frames[Math.floor(at / 2)] as (typeof frames)[number];
    return { frame, site, pages: site.articles.map((article) => knownPage(site, article, make)) };
  });
}

function knownPage(site: MadeSite, article: Article, make: Frame): KnownPage {
  const { html, unwanted } = make(site, article);
  const { parts, lead, listed, image } = article;
  const texts = parts.flatMap(({ paragraphs, entries, rows }) => [
    ...paragraphs,
    ...entries,
    ...rows.map(([, value]) => value),
  ]);
  const headings = parts
    .flatMap(({ heading, rows }) => [heading, ...rows.map(([name]) => name)])
    .filter((text) => text !== '');
  return {
    url: urlOf(site, article.path),
    html,
    title: article.title,
    own: [lead, ...texts, ...listed.map((one) => one.lead)],
    unwanted,
    texts: [article.title, lead, ...texts, ...headings, ...listed.flatMap((one) => [one.title, one.lead])],
    category: listed.length > 0 ? undefined : make === wiki ? '' : article.section,
    // Some frames show no pictures.
    image: image === undefined || !html.includes(image) ? undefined : urlOf(site, image),
  };
}
