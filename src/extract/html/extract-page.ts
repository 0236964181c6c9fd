import { type Fields, firstValue, type Section, type Structure } from '../../core/document.ts';
import { yieldToEventLoop } from '../../core/yield.ts';
import type { DecodedText } from '../charset.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { PageRules } from '../extract-settings.ts';
import type { ExplainedBlock, ExtractInput, Extraction, MediaKind } from '../extraction.ts';
import { contentHashOf, similarityHashOf } from '../fingerprints.ts';
import { countWide, languageOf } from '../page-language.ts';
import { ruleReader } from './block-rules.ts';
import { collectBlocks, type TextBlock } from './blocks.ts';
import { demoteRepeatedBlocks, isTemplate } from './boilerplate-detection.ts';
import {
  chooseBlocks,
  linkedTitles,
  orBestBlock,
  pageHeading,
  scoreBlocks,
  selectionScores,
  withPageHeading,
  wordsOf,
} from './choose-blocks.ts';
import type { ContentModel } from './content-model.ts';
import { qualifiedTitle, readDefinitions } from './definitions.ts';
import { readDirectives } from './directives.ts';
import { extractFallback } from './fallback-extraction.ts';
import type { FieldContext } from './field-sources.ts';
import { pageFields } from './fields/page-fields.ts';
import { readLinks } from './links.ts';
import { collectFacts, metaOf, type PageFacts } from './page-facts.ts';
import { pageKindOf } from './page-kinds/page-kind.ts';
import { robotWallOf } from './page-kinds/robot-wall.ts';
import { type PageElement, type PageTree, parsePage, walkTree } from './page-tree.ts';
import { judgedTitle, ruleDocument } from './ruled-document.ts';
import { contentOf, makeSections } from './sections.ts';
import { openSelectablePage, type SelectablePage } from './selectors.ts';
import { type DataItem, readJsonLd } from './structured-data.ts';
import { blockHashes, NO_TEMPLATES, templateBlocks } from './template-blocks.ts';
import { isMark, openSiteTexts, type SiteTexts, UNKNOWN_SITE } from './titles/site-texts.ts';
import { visitorTexts } from './visitor-texts.ts';
import { openWork, type PageWork } from './work.ts';

export type DecodedPage = { readonly decoded: DecodedText; readonly media: MediaKind };

/** Pages of more blocks are read in several turns of the event loop: of 10,000 blocks, none takes 60 ms in a warm process. */
const BLOCKS_PER_YIELD = 1_000;

/** Extracts an HTML page, parsed once; everything reads the same tree. Never throws for what the page holds. */
export async function extractPage(
  model: ContentModel,
  input: ExtractInput,
  { decoded, media }: DecodedPage,
): Promise<Extraction> {
  const rules = input.settings.content(input.url);
  const work = openWork();
  const tree = parsePage(decoded.text, input.source, rules.marks);
  const page = openSelectablePage(tree.root, work);
  const facts = collectFacts(tree, input.url);
  const { blocks, hiddenChars, notes } = collectBlocks(tree, ruleReader(rules, page));
  const pause = async () => {
    if (blocks.length > BLOCKS_PER_YIELD) await yieldToEventLoop();
  };
  await pause();
  const items = readJsonLd(facts.jsonLd);
  const source = { rules, facts, items, blocks, site: siteOf(input), pause };
  const parts = await readText(model, input, source);
  const { hashes, chosen, isLikely, outline, surroundings, fallback } = parts;
  await pause();
  const text = [...outline, ...fallback.blocks];
  const content = contentOf([...chosen, ...fallback.blocks]);
  const allItems = [...items, ...facts.markup];
  const known = pageFields({ ...input, ...source, items: allItems, chosen: text, content });
  const directives = readDirectives(facts, input.headers.robots);
  const { fields, sources, sections, language, ruled, ...noted } = ruleDocument(
    {
      fields: known.fields,
      sources: { ...known.sources, ...contentSource(chosen, isLikely, fallback.sources) },
      sections: makeSections(input.url, [
        { blocks: outline, isQuotable: directives.snippet, isShown: true, ofVisitors: visitorTexts(blocks, outline) },
        { blocks: fallback.blocks, isQuotable: directives.snippet && fallback.isOnlyText, isShown: false },
      ]),
      language: languageOf(content, { fixed: input.settings.language, declared: declaredLanguages(input, facts) }),
    },
    {
      documentId: input.url,
      rules: rules.fields,
      context: () => pageContext(input, { tree, page, facts, allItems, work }),
    },
  );
  const ruledText = (fields.get('Content') ?? []).join('\n');
  await pause();
  const renderWanted = renderReason({ tree, facts, content, words: wordsOf(text), pageChars: decoded.text.length });
  const robotWall = robotWallOf({ tree, facts, blocks });
  const links = readLinks({
    facts,
    linkHeader: input.headers.link,
    honourNofollow: input.settings.honourNofollow,
    isNavigation: navigationTest(blocks, chosen),
  });
  return {
    ...statusOf(ruledText, renderWanted),
    kind: 'PageContent',
    fields,
    structure: { version: 1, sections, surroundings, ...aboutPage({ url: input.url, fields, facts, blocks, chosen }) },
    language,
    cuts: [...tree.notes, ...notes],
    ...links,
    directives,
    renderWanted,
    asksPassword: facts.asksPassword,
    robotWall,
    templateBlocks: [...templateBlocks(hashes), ...known.counted],
    ...judgedTitle(known, fields),
    ...hashesOf(fields, sections, ruledText),
    trace: {
      media,
      charset: decoded.charset,
      sources,
      hiddenChars,
      notes: [...tree.notes, ...notes, ...fallback.notes, ...noted.notes, ...work.notes(), ...wallNotes(robotWall)],
      ...(input.explain === true && { blocks: explainBlocks({ blocks, ...parts }), rules: ruled }),
    },
  };
}

function hashesOf(
  fields: Fields,
  sections: readonly Section[],
  text: string,
): Pick<Extraction, 'contentHash' | 'similarityHash'> {
  return { contentHash: contentHashOf(fields, sections), similarityHash: similarityHashOf(text) };
}

function siteOf({ knownPages = 0, templateShare = NO_TEMPLATES, folderShare = NO_TEMPLATES }: ExtractInput): SiteTexts {
  if (knownPages === 0) return UNKNOWN_SITE;
  return openSiteTexts({ pages: knownPages, ofHost: templateShare, ofFolder: folderShare });
}

type DescribedPage = {
  readonly url: string;
  readonly fields: Fields;
  readonly facts: PageFacts;
  readonly blocks: readonly TextBlock[];
  readonly chosen: readonly TextBlock[];
};

/** What a page defines, and what it is for. */
function aboutPage({ url, fields, facts, blocks, chosen }: DescribedPage): Pick<Structure, 'definitions' | 'pageKind'> {
  const title = firstValue(fields, 'Title');
  const whole = qualifiedTitle({ url, title, blocks });
  const own = whole === undefined ? [] : [{ anchor: '', text: whole }];
  const definitions = [...own, ...readDefinitions(facts)];
  const pageKind = pageKindOf({ url, title, chosen });
  return { ...(definitions.length > 0 && { definitions }), ...(pageKind !== undefined && { pageKind }) };
}

function declaredLanguages({ headers }: ExtractInput, facts: PageFacts): readonly (string | undefined)[] {
  return [facts.declaredLanguage, headers.contentLanguage, metaOf(facts, 'og:locale')];
}

type TextSource = {
  readonly rules: PageRules;
  readonly facts: PageFacts;
  readonly items: readonly DataItem[];
  readonly blocks: readonly TextBlock[];
  readonly site: SiteTexts;
  /** Ends the turn of the event loop where there is much to read. */
  readonly pause: () => Promise<void>;
};

/** What the page says: its main text by model, site and rules, what was rescued for it, and what stands around it. */
async function readText(model: ContentModel, input: ExtractInput, source: TextSource) {
  const { rules, facts, items, blocks, site, pause } = source;
  const { url, templateShare: ofHost = NO_TEMPLATES, folderShare: ofFolder = NO_TEMPLATES } = input;
  const hashes = blockHashes(blocks);
  const isRendered = input.source === 'rendered';
  const scored = await scoreBlocks(model, blocks, { url, facts, items, isRendered, pause });
  await pause();
  const titles = [facts.title, metaOf(facts, 'og:title')];
  const demotion = demoteRepeatedBlocks(blocks, scored.scores, { hashes, ofHost, ofFolder, titles });
  const choose = (scores: Float64Array): Choice => {
    const selection = selectionScores(model, { ...scored, scores });
    const likely = chooseBlocks(blocks, selection, rules.profile);
    if (likely.length > 0) return { selection, chosen: likely, isLikely: true };
    const best = orBestBlock(likely, blocks, selection);
    const chosen = best.length > 0 ? best : linkedTitles(model, blocks, { ...scored, scores, shares: demotion.shares });
    return { selection, chosen, isLikely: false };
  };
  const demoted = choose(demotion.scores);
  await pause();
  const {
    selection,
    chosen: all,
    isLikely,
  } = demoted.chosen.every(isHeading) ? orRepeated(blocks, demoted, choose(scored.scores)) : demoted;
  const isOwn = ({ level, text }: TextBlock) => level !== 1 || !isMark({ title: facts.title, heading: text }, site);
  const chosen = all.some((block) => !isHeading(block)) ? all.filter(isOwn) : all;
  return {
    hashes,
    shares: demotion.shares,
    selection,
    chosen,
    outline: withPageHeading(blocks.filter(isOwn), chosen),
    isLikely,
    surroundings: secondaryTextOf(blocks, { chosen, shares: demotion.shares, rules }),
    fallback: extractFallback({ chosen, items, states: facts.states }),
  };
}

type Choice = {
  readonly selection: Float64Array;
  readonly chosen: readonly TextBlock[];
  /** False when nothing looks like a text, so that it is the best of unlikely blocks. */
  readonly isLikely: boolean;
};

/** Pages that all say the same say that, when it is all that they say: more than the links of a menu. */
function orRepeated(blocks: readonly TextBlock[], headings: Choice, repeated: Choice): Choice {
  const heading = pageHeading(blocks);
  const linked = repeated.chosen.filter(({ text, linkChars }) => linkChars * 2 >= text.length);
  if (heading === undefined || wordsOf(linked) * 2 <= wordsOf(repeated.chosen)) return repeated;
  return headings.chosen.length > 0 ? headings : { ...headings, chosen: [heading] };
}

function contentSource(
  chosen: readonly TextBlock[],
  isLikely: boolean,
  fallback: readonly string[],
): Readonly<Record<string, string>> {
  if (chosen.length === 0 && fallback.length === 0) return {};
  const blocks = isLikely ? 'model' : 'best of unlikely blocks';
  return { Content: [chosen.length === 0 ? 'none' : blocks, ...fallback].join(' + ') };
}

function wallNotes(robotWall: string | undefined): readonly string[] {
  return robotWall === undefined ? [] : [`keeps robots out (${robotWall})`];
}

type PageParts = {
  readonly tree: PageTree;
  readonly page: SelectablePage;
  readonly facts: PageFacts;
  readonly allItems: readonly DataItem[];
  readonly work: PageWork;
};

/** What rules for fields read from. */
function pageContext({ url, headers }: ExtractInput, { tree, page, facts, allItems, work }: PageParts): FieldContext {
  const { base, metas } = facts;
  return { kind: 'page', url, base, root: tree.root, page, metas, headers: headers.named ?? {}, items: allItems, work };
}

function statusOf(content: string, renderWanted: string | undefined): Pick<Extraction, 'status' | 'reason'> {
  if (renderWanted !== undefined) return { status: 'needs-render', reason: renderWanted };
  return content === '' ? { status: 'empty', reason: 'The page has no text' } : { status: 'ok', reason: '' };
}

const MIN_RENDERED_WORDS = 50;
const MAX_SCRIPT_SHARE = 0.9;
/** As many characters say as much where words are not told apart by spaces. */
const MIN_RENDERED_CHARS = 500;
/** So few words are a title at best. */
const HARDLY_ANY_WORDS = 10;
const NEEDS_SCRIPT =
  /(?:enable|activate|requires?|needs?|turn on) (?:[a-z]{1,10} ){0,3}javascript|javascript (?:is )?(?:required|disabled)/i;

/** Shapes that stand for text which is still on its way. */
const SKELETON = /\b(?:skeleton|shimmer|placeholder-glow|content-loader)\b/i;

type RenderSignals = {
  readonly tree: PageTree;
  readonly facts: PageFacts;
  readonly content: string;
  readonly words: number;
  readonly pageChars: number;
};

/** Why a browser would see more than these few words; undefined when nothing speaks for it. */
function renderReason({ tree, facts, content, words, pageChars }: RenderSignals): string | undefined {
  if (words >= MIN_RENDERED_WORDS || content.length >= MIN_RENDERED_CHARS) return undefined;
  if (facts.linkedScripts === 0 && facts.scriptChars === 0) return undefined;
  if (facts.hasEmptyRoot) return 'The page is an empty application root';
  if (NEEDS_SCRIPT.test(`${facts.noscript} ${content}`)) return 'The page asks for JavaScript';
  if (facts.scriptChars > pageChars * MAX_SCRIPT_SHARE) return 'The page is nearly all script';
  if (hasSkeleton(tree)) return 'The page shows where its text will be';
  const hasScripts = facts.linkedScripts > 0 && words < HARDLY_ANY_WORDS;
  return hasScripts ? 'The page has scripts and hardly any text' : undefined;
}

function hasSkeleton(tree: PageTree): boolean {
  let found = false;
  walkTree(tree.root, {
    isDone: () => found,
    enter: ({ attributes }) => {
      found ||= SKELETON.test(attributes['class'] ?? '');
      return undefined;
    },
  });
  return found;
}

function isHeading({ kind }: TextBlock): boolean {
  return kind === 'heading';
}

const MAX_TEXT_CHARS = 120;
const PROBABILITY_DIGITS = 4;
const LIKELY = 0.5;

export type ScoredChoice = {
  readonly blocks: readonly TextBlock[];
  /** Of each block, before rules. */
  readonly selection: Float64Array;
  readonly chosen: readonly TextBlock[];
  /** Of each block: what of the site's other pages, or of its folder's, repeats it. */
  readonly shares: Float64Array;
};

/** Every block of a page with what became of it, in document order. */
function explainBlocks(choice: ScoredChoice): readonly ExplainedBlock[] {
  const { blocks, selection, chosen, shares } = choice;
  const used = new Set(chosen);
  return blocks.map((block, at) => {
    const score = selection[at] ?? 0;
    return {
      text: block.text.trim().slice(0, MAX_TEXT_CHARS),
      kind: block.kind,
      probability: Number(score.toFixed(PROBABILITY_DIGITS)),
      share: shares[at] ?? 0,
      rule: block.rule,
      chosen: used.has(block),
      why: used.has(block) ? whyChosen(block) : whyNot(block, score),
    };
  });
}

function whyChosen({ rule, kind }: TextBlock): string {
  if (rule === 'include') return 'a rule or mark includes it';
  return kind === 'heading' ? 'a heading of chosen text' : 'main text';
}

function whyNot({ rule, visibility, kind }: TextBlock, score: number): string {
  if (rule === 'exclude') return 'a rule excludes it';
  if (kind === 'heading') return 'a heading without chosen text';
  if (score >= LIKELY) return 'a copy of chosen text, or less likely than the rest of the page';
  return visibility === 'hidden' ? 'a reader cannot see it' : 'not main text';
}

/**
 * Whether an element lies in the page's navigation: the nearest element around it that holds text holds none of the
 * chosen one. O(elements with text); O(depth) for each answer.
 */
function navigationTest(blocks: readonly TextBlock[], chosen: readonly TextBlock[]): (element: PageElement) => boolean {
  const withText = elementsAround(blocks);
  const withChosen = elementsAround(chosen);
  return (element) => {
    let at: PageElement | undefined = element;
    while (at !== undefined && !withText.has(at)) at = at.parent;
    return at === undefined || !withChosen.has(at);
  };
}

function elementsAround(blocks: readonly TextBlock[]): ReadonlySet<PageElement> {
  const found = new Set<PageElement>();
  for (const { element } of blocks) {
    for (let at: PageElement | undefined = element; at !== undefined && !found.has(at); at = at.parent) found.add(at);
  }
  return found;
}

const MIN_WORDS = 3;
/** Characters of Chinese and Japanese, which have no blanks between words. */
const MIN_WIDE = 6;

type Beside = {
  readonly chosen: readonly TextBlock[];
  /** By block: how much of the site, or of its folder, repeats it. */
  readonly shares: Float64Array;
  readonly rules: Pick<PageRules, 'searchesHidden'>;
};

/**
 * Text that was neither chosen nor excluded and that no template of the site repeats: visible first, then hidden.
 * Found by search with low weight, never shown.
 */
function secondaryTextOf(blocks: readonly TextBlock[], { chosen, shares, rules: { searchesHidden } }: Beside): string {
  const used = new Set(chosen);
  const rest = blocks.filter(
    (block, at) =>
      !used.has(block) &&
      block.rule !== 'exclude' &&
      (block.words >= MIN_WORDS || countWide(block.text) >= MIN_WIDE) &&
      !isTemplate(shares[at] ?? 0),
  );
  const ordered = [
    ...rest.filter(({ visibility }) => visibility !== 'hidden'),
    ...rest.filter(({ visibility }) => searchesHidden && visibility === 'hidden'),
  ];
  const lines = [...new Set(ordered.map(({ text }) => text.trim()))];
  return lines.join('\n').slice(0, EXTRACT_LIMITS.secondaryTextChars);
}
