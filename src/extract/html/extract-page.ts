import type { Structure } from '../../core/document.ts';
import type { DecodedText } from '../charset.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { ExtractInput, Extraction, MediaKind } from '../extraction.ts';
import { contentHashOf, similarityHashOf } from '../fingerprints.ts';
import { languageOf } from '../page-language.ts';
import { collectBlocks, type TextBlock } from './blocks.ts';
import { chooseBlocks, wordsOf } from './choose-blocks.ts';
import { readDirectives } from './directives.ts';
import { readLinks } from './links.ts';
import { collectFacts, metaOf, type PageFacts } from './page-facts.ts';
import { pageFields } from './page-fields.ts';
import { type PageTree, parsePage, walkTree } from './page-tree.ts';
import { rescueText } from './rescue.ts';
import { contentOf, makeSections } from './sections.ts';
import { readJsonLd } from './structured-data.ts';
import { blockHashes, NO_TEMPLATES, templateBlocks } from './template-blocks.ts';
import { isTemplate } from './template-vote.ts';

/** Extracts an HTML page, parsed once; everything reads the same tree. Never throws for what the page holds. */
export function extractPage(input: ExtractInput, decoded: DecodedText, media: MediaKind): Extraction {
  const tree = parsePage(decoded.text, input.source);
  const facts = collectFacts(tree, input.url);
  const { blocks, hiddenChars, notes } = collectBlocks(tree);
  const chosen = chooseBlocks(tree, blocks);
  const { templateShare = NO_TEMPLATES } = input;
  const hashes = blockHashes(blocks);
  const items = readJsonLd(facts.jsonLd);
  const rescued = rescueText({ chosen: chosen.blocks, items, states: facts.states });
  const text = [...chosen.blocks, ...rescued.blocks];
  const content = contentOf(text);
  const { fields, sources } = pageFields({ ...input, facts, items, chosen: text, content });
  const directives = readDirectives(facts, input.headers.robots);
  const declared = [facts.declaredLanguage, input.headers.contentLanguage, metaOf(facts, 'og:locale')];
  const language = languageOf(content, { fixed: input.settings.language, declared });
  const withLanguage = language === undefined ? fields : new Map([...fields, ['Language', [language.code]] as const]);
  const sections = makeSections(input.url, [
    { blocks: chosen.blocks, isQuotable: directives.snippet, isShown: true },
    { blocks: rescued.blocks, isQuotable: directives.snippet && rescued.isOnlyText, isShown: false },
  ]);
  const renderWanted = renderReason({
    tree,
    facts,
    content,
    words: wordsOf(text),
    pageChars: decoded.text.length,
  });
  const surroundings = surroundingsOf(blocks, {
    chosen: chosen.blocks,
    isTemplate: (at) => isTemplate(templateShare(hashes[at] ?? '')),
  });
  const links = readLinks({
    facts,
    linkHeader: input.headers.link,
    honourNofollow: input.settings.honourNofollow,
    isNavigation: chosen.isNavigation,
  });
  return {
    ...statusOf(content, renderWanted),
    kind: 'PageContent',
    fields: withLanguage,
    structure: { version: 1, sections, surroundings } satisfies Structure,
    language,
    ...links,
    directives,
    renderWanted,
    asksPassword: facts.asksPassword,
    templateBlocks: templateBlocks(hashes),
    contentHash: contentHashOf(withLanguage, sections),
    similarityHash: similarityHashOf(content),
    trace: {
      media,
      charset: decoded.charset,
      sources: { ...sources, Content: [chosen.source, ...rescued.sources].join(' + ') },
      hiddenChars,
      notes: [...tree.notes, ...notes, ...rescued.notes],
    },
  };
}

function statusOf(content: string, renderWanted: string | undefined): Pick<Extraction, 'status' | 'reason'> {
  if (renderWanted !== undefined) return { status: 'needs-render', reason: renderWanted };
  return content === '' ? { status: 'empty', reason: 'The page has no text' } : { status: 'ok', reason: '' };
}

const MIN_SURROUNDING_WORDS = 3;

/**
 * Text that was not chosen, without what the templates of the site repeat: visible first, then hidden; found by search
 * with low weight.
 */
function surroundingsOf(
  blocks: readonly TextBlock[],
  {
    chosen,
    isTemplate: repeats,
  }: { readonly chosen: readonly TextBlock[]; readonly isTemplate: (at: number) => boolean },
): string {
  const used = new Set(chosen);
  const isBeside = (block: TextBlock, at: number) =>
    !used.has(block) && block.words >= MIN_SURROUNDING_WORDS && !repeats(at);
  const rest = blocks.filter(isBeside);
  const ordered = [
    ...rest.filter(({ visibility }) => visibility !== 'hidden'),
    ...rest.filter(({ visibility }) => visibility === 'hidden'),
  ];
  const lines = [...new Set(ordered.map(({ text }) => text.trim()))];
  return lines.join('\n').slice(0, EXTRACT_LIMITS.surroundingsChars);
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

type RenderEvidence = {
  readonly tree: PageTree;
  readonly facts: PageFacts;
  readonly content: string;
  readonly words: number;
  readonly pageChars: number;
};

/** Why a browser would see more than these few words; undefined when nothing speaks for it. */
function renderReason({ tree, facts, content, words, pageChars }: RenderEvidence): string | undefined {
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
