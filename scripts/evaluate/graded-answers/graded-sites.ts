import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerDocument } from '../answers/sets.ts';

/** Rules and weights may be chosen on `tuning`; `unseen` sites tell whether they hold elsewhere. */
export type SiteHalf = 'tuning' | 'unseen';

/** What the pages of a site are taken from, or of a kind of page that is taken for a site. */
export type SiteSource =
  /** The documents of the set `garden` of `test/golden/answers`. */
  | { readonly from: 'sample-site' }
  /** HTML of a Debian package below a folder in it; paths without `.html`. */
  | { readonly from: 'package'; readonly package: string; readonly folder: string; readonly keeps: RegExp }
  /** Pages of one kind in the packs `wcxb-dev`, each of a site of its own. */
  | { readonly from: 'packs'; readonly kind: string; readonly half: 'tuning' | 'held-out' };

export type GradedSite = {
  readonly name: string;
  readonly half: SiteHalf;
  /** Kind of site, as its visitors would say. */
  readonly kind: string;
  readonly source: SiteSource;
};

export const GRADED_SITES: readonly GradedSite[] = [
  { name: 'garden', half: 'tuning', kind: 'visitor information', source: { from: 'sample-site' } },
  {
    name: 'debian-reference',
    half: 'tuning',
    kind: 'handbook',
    source: {
      from: 'package',
      package: 'debian-reference-en',
      folder: 'usr/share/debian-reference/',
      keeps: /^(?:ch|apa|pr|index)[^.]*\.en$/,
    },
  },
  {
    name: 'sqlite',
    half: 'tuning',
    kind: 'reference',
    source: {
      from: 'package',
      package: 'sqlite3-doc',
      folder: 'usr/share/doc/sqlite3/',
      keeps: /^(?!doc_|.*_index$|c3ref\/|releaselog\/|syntax\/|changes|chronology|news|oldnews|consortium_|hp1)/,
    },
  },
  { name: 'shops', half: 'tuning', kind: 'shop', source: { from: 'packs', kind: 'product', half: 'tuning' } },
  { name: 'forums', half: 'tuning', kind: 'forum', source: { from: 'packs', kind: 'forum', half: 'tuning' } },
  { name: 'services', half: 'tuning', kind: 'services', source: { from: 'packs', kind: 'service', half: 'tuning' } },
  {
    name: 'gimp',
    half: 'unseen',
    kind: 'handbook',
    source: {
      from: 'package',
      package: 'gimp-help-en',
      folder: 'usr/share/gimp/2.0/help/en/',
      keeps: /^(?!bibliography|glossary$|index$|go01|gfdl)/,
    },
  },
  {
    name: 'nodejs',
    half: 'unseen',
    kind: 'reference',
    source: { from: 'package', package: 'nodejs-doc', folder: 'usr/share/doc/nodejs/api/', keeps: /^(?!all$|index$)/ },
  },
  { name: 'more-shops', half: 'unseen', kind: 'shop', source: { from: 'packs', kind: 'product', half: 'held-out' } },
  { name: 'more-forums', half: 'unseen', kind: 'forum', source: { from: 'packs', kind: 'forum', half: 'held-out' } },
  {
    name: 'more-services',
    half: 'unseen',
    kind: 'services',
    source: { from: 'packs', kind: 'service', half: 'held-out' },
  },
];

/** Of `make-sites.ts`: they are not part of the project, because their pages belong to others. */
export function readSiteDocuments(folder: string, { name }: Pick<GradedSite, 'name'>): readonly AnswerDocument[] {
  const lines = readFileSync(join(folder, `${name}.documents.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line): AnswerDocument => JSON.parse(line));
}
