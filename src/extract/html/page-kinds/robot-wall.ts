import { countWords } from '../../word-characters.ts';
import type { TextBlock } from '../blocks.ts';
import type { PageFacts } from '../page-facts.ts';
import { foldText, type PageElement, type PageTree, walkTree } from '../page-tree.ts';
import { ACCUSATION, HEADING, INCIDENT, PROOF, TASK } from './robot-wall-phrases.ts';

/** What makes the pages of a vendor that stand in for others while a visitor proves to be none of the robots. */
const VENDORS: readonly (readonly [string, RegExp])[] = [
  [
    'Cloudflare',
    /_cf_chl_opt|cf_chl_(?:prog|rc|seq|opt)|cf-browser-verification|challenge-error-text|cf-challenge-run/,
  ],
  ['Imperva', /_Incapsula_Resource\?[^\s"']{0,500}(?:incident_id|CWUDNSAI)/],
  ['DataDome', /captcha-delivery\.com/],
  ['HUMAN', /\bpx-captcha\b|captcha\.px-cdn\.net/],
  ['Akamai', /sec-if-cpt-container|\/_sec\/cp_challenge\/|[?&]bm-verify=/],
  ['AWS WAF', /\bgokuProps\b/],
  ['Kasada', /ips\.js\?[^\s"']{0,200}KP_UIDz/],
  ['Radware', /validate\.perfdrive\.com/],
  ['Sucuri', /sucuri_cloudproxy_js/],
  ['DDoS-Guard', /ddos-guard\/js-challenge/],
  ['Qrator', /__qrator\/qauth/],
  ['Alibaba Cloud', /\bacw_sc__v2\b|aliyun_waf_aa/],
  ['Anubis', /anubis_challenge|within\.website\/x\/cmd\/anubis/],
];
const WIDGET = /captcha|turnstile/i;
/** A field of a wall asks for the letters of a picture. */
const ANSWER = /captcha|code|answer|challenge|field-keywords/i;
const FIELD_TYPE = /^(?:text|email|search|tel|url|password|)$/i;

/** Walls say a few sentences and lead nowhere; pages of a site have its menu. */
const MAX_WORDS = 100;
const MAX_CHARS = 1_000;
const MAX_LINKS = 5;
/** Of kinds of phrases: so many are no accident; of two, a third of the text must be about it. */
const MANY_KINDS = 3;
const MIN_RATIO = 1 / 3;
/** Characters of scripts and attributes that are looked through. */
const MAX_MARKUP_CHARS = 200_000;
const ATTRIBUTES = ['src', 'id', 'class', 'name', 'action', 'content'];

type WallSource = {
  readonly tree: PageTree;
  readonly facts: PageFacts;
  readonly blocks: readonly TextBlock[];
};

/**
 * Whether a page stands in for another one until its visitor proves to be no robot: the name of the vendor whose markup
 * it has, `phrases` where its few sentences say so, undefined for every other page. A page about such walls, with a form
 * of its own or with the menu of a site is none. O(nodes) for pages of few words, else O(blocks).
 */
export function robotWallOf({ tree, facts, blocks }: WallSource): string | undefined {
  const shown = blocks.filter(({ visibility }) => visibility === 'visible');
  const words = shown.reduce((count, block) => count + block.words, 0);
  const chars = shown.reduce((count, { text }) => count + text.length, 0);
  const links = facts.anchors.filter(({ name, attributes }) => name === 'a' && 'href' in attributes);
  if (words > MAX_WORDS || chars > MAX_CHARS || links.length > MAX_LINKS) return undefined;
  const { markup, asksMore } = readMarkup(tree, facts);
  if (asksMore) return undefined;
  const [vendor] = VENDORS.find(([, pattern]) => pattern.test(markup)) ?? [];
  return vendor ?? (isWorded(shown, facts, WIDGET.test(markup)) ? 'phrases' : undefined);
}

type Markup = {
  /** Scripts and attributes, one a line. */
  readonly markup: string;
  /** A field for something else than proof. */
  readonly asksMore: boolean;
};

function readMarkup(tree: PageTree, { scripts }: PageFacts): Markup {
  const parts = [...scripts];
  let asksMore = false;
  let left = MAX_MARKUP_CHARS;
  walkTree(tree.root, {
    isDone: () => asksMore || left < 0,
    enter: (element) => {
      asksMore = isOtherField(element);
      for (const name of ATTRIBUTES) {
        const value = element.attributes[name];
        if (value === undefined) continue;
        parts.push(value);
        left -= value.length;
      }
      return undefined;
    },
  });
  return { markup: parts.join('\n').slice(0, MAX_MARKUP_CHARS), asksMore };
}

function isOtherField({ name, attributes }: PageElement): boolean {
  const isField = name === 'textarea' || (name === 'input' && FIELD_TYPE.test(attributes['type']?.trim() ?? ''));
  return isField && !ANSWER.test(`${attributes['name'] ?? ''} ${attributes['id'] ?? ''}`);
}

const SENTENCE_END = /(?<=[.!?…])\s+|(?<=[。！？])/u;
/** Between the parts of a title. */
const TITLE_BAR = /\s+[|–—·-]\s+|\s*\|\s*/;

/** A heading of walls, the demand for a proof, a task, what the visitor is accused of, a number, a widget. */
function isWorded(blocks: readonly TextBlock[], { title, noscript }: PageFacts, hasWidget: boolean): boolean {
  const sentences = [...blocks.map(({ text }) => text), noscript].flatMap((text) => foldText(text).split(SENTENCE_END));
  const headings = [
    ...blocks.filter(({ kind }) => kind === 'heading').map(({ text }) => foldText(text)),
    ...foldText(title).split(TITLE_BAR),
  ];
  const matching = (pattern: RegExp) => sentences.filter((sentence) => pattern.test(sentence));
  const demands = [PROOF, TASK, ACCUSATION].map(matching).filter((found) => found.length > 0);
  if (demands.length === 0) return false;
  const isHeaded = headings.some((heading) => HEADING.test(heading));
  const kinds = demands.length + [isHeaded, hasWidget, matching(INCIDENT).length > 0].filter(Boolean).length;
  if (kinds >= MANY_KINDS) return true;
  const about = new Set([...demands.flat(), ...matching(HEADING)]);
  return kinds > 1 && columnsOf([...about]) >= columnsOf(sentences) * MIN_RATIO;
}

/** Words, or characters where words are not told apart. */
function columnsOf(sentences: readonly string[]): number {
  return sentences.reduce((sum, sentence) => sum + countWords(sentence), 0);
}
