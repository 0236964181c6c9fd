import type { TextBlock } from './blocks.ts';
import type { PageElement } from './page-tree.ts';

/** `comments`, `comment-list`, `user_reviews`, `review-body`; no `code-review`, which is a subject. */
const OWN_CLASS =
  /(?:^|\s)(?:(?:user|customer|visitor|guest|reader)s?[-_]?)?(?:comments?|reviews?|testimonials?|guest-?book)(?:[-_]{0,2}(?:lists?|area|body|content|text|section|thread|item|entry|reply|replies|wrapper|container))?(?=\s|$)/i;
const OWN_TYPE = /\/(?:Review|UserReview|Comment)(?=\s|$)/;
const OWN_PROPERTY = /(?:^|\s)(?:reviewBody|review|comment)(?=\s|$)/;

/** What visitors write under: the whole of a heading, in lower case, a count aside. */
const HEADINGS = [
  "(?:(?:all|latest|recent|new|user|customer|visitor|guest|reader)s?[’']?s? )?(?:comments?|reviews?|testimonials?|ratings?(?: (?:&|and) reviews?)?|guest ?book|replies)",
  '(?:leave|write|add|post) (?:a|your) (?:reply|comment|review)|join the (?:discussion|conversation)',
  'what (?:our |other )?(?:visitors?|customers?|guests?|readers?|people|others) (?:say|are saying|think)(?: about us)?',
  '(?:neue(?:ste)? )?(?:kommentare?|(?:kunden)?bewertungen|(?:kunden|gäste)?meinungen|rezensionen|gästebuch)|kommentar (?:schreiben|hinterlassen)',
  "commentaires?|avis(?: (?:clients?|des visiteurs))?|livre d[’']or|(?:laisser|ajouter) un commentaire",
  'comentarios?|opiniones(?: de (?:los )?clientes)?|reseñas|libro de visitas|comentários?|avaliações|livro de visitas',
  'commenti|recensioni(?: dei clienti)?|libro degli ospiti|reacties|(?:klant)?beoordelingen|gastenboek',
  'kommentarer|anmeldelser|omdömen|recensioner|gæstebog|gästbok|gjestebok|kommentit|arvostelut|vieraskirja|komentarze|opinie|księga gości',
].join('|');
const HEADING = new RegExp(`^(?:\\d{1,6} )?(?:${HEADINGS})(?: ?[([]?\\d{1,6}[)\\]]?)?:?$`, 'u');
const MAX_HEADING_CHARS = 60;
/** What is written, not who writes it. */
const WRITTEN = /(?<!\p{L})(?!customer|visitor|reader|latest|recent|people|others|client|visiteur)\p{L}{6,}/gu;
/** Letters by which the word of a heading is known again in the text below it. */
const STEM_CHARS = 6;
/** A page that mostly is what visitors write is a forum, or a book of guests: that is its text. */
const MOST_OF_PAGE = 0.5;

/**
 * Blocks that visitors of the page have written below it: comments, reviews and their likes, told by microdata, by names
 * of classes, or by a heading that says nothing else, chosen for the text or not. They claim what nobody vouches for. A
 * heading that its own text takes up is a subject (`Comments begin with #`). O(elements).
 */
export function visitorTexts(blocks: readonly TextBlock[], chosen: readonly TextBlock[]): ReadonlySet<TextBlock> {
  const isMarked = regionTest(blocks.filter(isTitle));
  const found = new Set([...blocks.filter(({ element }) => isMarked(element)), ...headedBlocks(blocks)]);
  const isMost = wordsOf(chosen.filter((block) => found.has(block))) >= MOST_OF_PAGE * wordsOf(chosen);
  return isMost ? new Set() : found;
}

/** What holds it is the page. */
function isTitle({ kind, level }: TextBlock): boolean {
  return kind === 'heading' && level === 1;
}

function wordsOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { words }) => sum + words, 0);
}

/** Names of the body and of what holds the whole page are about its template. */
const WHOLE_PAGE = new Set(['html', 'body', 'main']);

/** Whether an element stands in what visitors wrote; each element is looked at once. */
function regionTest(titles: readonly TextBlock[]): (element: PageElement) => boolean {
  const known = new Map<PageElement, boolean>();
  for (const { element } of titles) {
    for (let at: PageElement | undefined = element; at !== undefined && !known.has(at); at = at.parent) {
      known.set(at, false);
    }
  }
  return (element) => {
    const path: PageElement[] = [];
    let at: PageElement | undefined = element;
    for (; at !== undefined && !known.has(at); at = at.parent) path.push(at);
    let isInside = at !== undefined && known.get(at) === true;
    for (const inner of path.reverse()) {
      isInside ||= !WHOLE_PAGE.has(inner.name) && isRegion(inner);
      known.set(inner, isInside);
    }
    return isInside;
  };
}

function isRegion({ attributes }: PageElement): boolean {
  const { class: names = '', itemtype: type = '', itemprop: property = '' } = attributes;
  return OWN_CLASS.test(names) || OWN_TYPE.test(type) || OWN_PROPERTY.test(property);
}

/** What stands below each heading that announces it, up to the next one of its level. */
function headedBlocks(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const sections: { readonly heading: TextBlock; readonly own: TextBlock[] }[] = [];
  let open: (typeof sections)[number] | undefined;
  for (const block of blocks) {
    if (block.kind === 'heading' && (open === undefined || block.level <= open.heading.level)) {
      open = isTitle(block) || !announces(block.text) ? undefined : { heading: block, own: [] };
      if (open !== undefined) sections.push(open);
    } else open?.own.push(block);
  }
  return sections.filter(({ heading, own }) => !isSubject(heading, own)).flatMap(({ own }) => own);
}

function announces(text: string): boolean {
  return text.length <= MAX_HEADING_CHARS && HEADING.test(text.trim().toLowerCase());
}

function isSubject({ text }: TextBlock, own: readonly TextBlock[]): boolean {
  const words = text.toLowerCase().match(WRITTEN) ?? [];
  const stems = words.map((word) => word.slice(0, STEM_CHARS));
  const first = own.find(({ kind }) => kind !== 'heading' && kind !== 'table')?.text.toLowerCase() ?? '';
  return stems.some((stem) => first.includes(stem));
}
