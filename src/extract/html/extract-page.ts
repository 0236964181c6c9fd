import type { Structure } from '../../core/document.ts';
import type { DecodedText } from '../charset.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { PageRules } from '../extract-settings.ts';
import type { ExtractInput, Extraction, MediaKind } from '../extraction.ts';
import { contentHashOf, similarityHashOf } from '../fingerprints.ts';
import { languageOf } from '../page-language.ts';
import { ruleReader } from './block-rules.ts';
import { collectBlocks, type TextBlock } from './blocks.ts';
import { chooseBlocks, wordsOf } from './choose-blocks.ts';
import { readDirectives } from './directives.ts';
import { readLinks } from './links.ts';
import { collectFacts, metaOf, type PageFacts } from './page-facts.ts';
import { pageFields } from './page-fields.ts';
import { parsePage } from './page-tree.ts';
import { contentOf, makeSections } from './sections.ts';
import { readJsonLd } from './structured-data.ts';
import { openWork } from './work.ts';

/** Extracts an HTML page, parsed once; everything reads the same tree. Never throws for what the page holds. */
export function extractPage(input: ExtractInput, decoded: DecodedText, media: MediaKind): Extraction {
  const rules = input.settings.content(input.url);
  const work = openWork();
  const tree = parsePage(decoded.text, input.source, rules.marks);
  const facts = collectFacts(tree, input.url);
  const { blocks, hiddenChars, notes } = collectBlocks(tree, ruleReader(rules, work));
  const chosen = chooseBlocks(tree, blocks);
  const content = contentOf(chosen.blocks);
  const items = [...readJsonLd(facts.jsonLd), ...facts.markup];
  const { fields, sources } = pageFields({ ...input, rules, facts, items, blocks, chosen: chosen.blocks, content });
  const directives = readDirectives(facts, input.headers.robots);
  const declared = [facts.declaredLanguage, input.headers.contentLanguage, metaOf(facts, 'og:locale')];
  const language = languageOf(content, { fixed: input.settings.language, declared });
  const withLanguage = language === undefined ? fields : new Map([...fields, ['Language', [language.code]] as const]);
  const sections = makeSections(input.url, chosen.blocks, directives.snippet);
  const renderWanted = renderReason({
    facts,
    content,
    words: wordsOf(chosen.blocks),
    pageChars: decoded.text.length,
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
    structure: { version: 1, sections, surroundings: surroundingsOf(blocks, chosen.blocks, rules) } satisfies Structure,
    language,
    ...links,
    directives,
    renderWanted,
    asksPassword: facts.asksPassword,
    contentHash: contentHashOf(withLanguage, sections),
    similarityHash: similarityHashOf(content),
    trace: {
      media,
      charset: decoded.charset,
      sources: { ...sources, Content: chosen.source },
      hiddenChars,
      notes: [...tree.notes, ...notes, ...work.notes()],
    },
  };
}

function statusOf(content: string, renderWanted: string | undefined): Pick<Extraction, 'status' | 'reason'> {
  if (renderWanted !== undefined) return { status: 'needs-render', reason: renderWanted };
  return content === '' ? { status: 'empty', reason: 'The page has no text' } : { status: 'ok', reason: '' };
}

const MIN_SURROUNDING_WORDS = 3;

/** Text that was not chosen and not excluded: visible first, then hidden; found by search with low weight. */
function surroundingsOf(
  blocks: readonly TextBlock[],
  chosen: readonly TextBlock[],
  { searchesHidden }: PageRules,
): string {
  const used = new Set(chosen);
  const rest = blocks.filter(
    (block) => !used.has(block) && block.rule !== 'exclude' && block.words >= MIN_SURROUNDING_WORDS,
  );
  const ordered = [
    ...rest.filter(({ visibility }) => visibility !== 'hidden'),
    ...rest.filter(({ visibility }) => searchesHidden && visibility === 'hidden'),
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

type RenderEvidence = {
  readonly facts: PageFacts;
  readonly content: string;
  readonly words: number;
  readonly pageChars: number;
};

/** Why a browser would see more than these few words; undefined when nothing speaks for it. */
function renderReason({ facts, content, words, pageChars }: RenderEvidence): string | undefined {
  if (words >= MIN_RENDERED_WORDS || content.length >= MIN_RENDERED_CHARS) return undefined;
  if (facts.linkedScripts === 0 && facts.scriptChars === 0) return undefined;
  if (facts.hasEmptyRoot) return 'The page is an empty application root';
  if (NEEDS_SCRIPT.test(`${facts.noscript} ${content}`)) return 'The page asks for JavaScript';
  if (facts.scriptChars > pageChars * MAX_SCRIPT_SHARE) return 'The page is nearly all script';
  const hasScripts = facts.linkedScripts > 0 && words < HARDLY_ANY_WORDS;
  return hasScripts ? 'The page has scripts and hardly any text' : undefined;
}
