import { stemWord } from '../text/stemming.ts';
import { isStopWord } from '../text/stop-words.ts';
import { contentWords, writtenWords } from './question.ts';

export type FollowUp = {
  readonly question: string;
  /** The question before, as it was rewritten itself. */
  readonly previous: string;
  readonly language: string;
};

/** Fewer words of content do not say what they are about. */
const MIN_CONTENT_WORDS = 3;

/** Lists of a language: separated by blanks, `opens` by `|`; in lower case. */
type FollowUpWords = {
  /** Point back wherever they stand. */
  readonly refers: string;
  /** Are articles and the like elsewhere, and point back at the end of a question. */
  readonly refersLast: string;
  /** A question goes on with them. */
  readonly opens: string;
};

const TABLES: Readonly<Record<string, FollowUpWords>> = {
  en: {
    refers: 'it its they them their that this these those he she his her him ones same instead else afterwards',
    refersLast: 'one there then too other others',
    opens: 'and|but|or|so|also|what about|how about|why not|what if',
  },
  de: {
    refers: `er ihn ihm ihre ihren ihrem dieser diese dieses diesen diesem dort dafür damit davon dazu daran darauf darüber
      stattdessen danach gleiche selbe dessen deren`,
    refersLast: 'es das sie die der den da sonst ihnen auch',
    opens: 'und|aber|oder|also|auch|was ist mit|wie ist es mit|wie steht es mit|warum nicht',
  },
  fr: {
    refers: 'elle ils elles lui leur cela ça celui celle ceux celles cet cette ces même ensuite',
    refersLast: 'il le la les en y autre autres aussi',
    opens: "et|mais|ou|donc|aussi|qu'en est-il|pourquoi pas",
  },
  es: {
    refers: 'ella ellos ellas esto eso este esta estos estas ese esa aquello mismo misma',
    refersLast: 'él lo la los las le les allí otro otra también después',
    opens: 'y|pero|o|entonces|también|qué tal|qué pasa con|por qué no',
  },
  it: {
    refers: 'lui lei loro esso essa questo questa questi queste quello quella stesso stessa',
    refersLast: 'lo la li le ci ne altro dopo anche',
    opens: 'e|ma|o|allora|anche|che ne è|perché no',
  },
  nl: {
    refers: 'hij zij hem haar hun dit deze daarvoor daarmee ervan ervoor hetzelfde dezelfde daarna',
    refersLast: 'het ze die dat daar er anders ook',
    opens: 'en|maar|of|dus|ook|hoe zit het met|wat met|waarom niet',
  },
  pt: {
    refers: 'ele ela eles elas lhe isto isso este esta esse essa mesmo mesma',
    refersLast: 'o a os as ali lá outro outra também depois',
    opens: 'e|mas|ou|então|também|e quanto a|que tal|por que não',
  },
  da: {
    refers: 'dem han hun ham hende dens dets deres denne dette disse dertil samme bagefter',
    refersLast: 'den det de der ellers også',
    opens: 'og|men|eller|så|også|hvad med|hvorfor ikke',
  },
  sv: {
    refers: 'dem han hon honom henne dess deras denna detta dessa samma efteråt',
    refersLast: 'den det de där annars också',
    opens: 'och|men|eller|så|också|hur är det med|vad gäller för|varför inte',
  },
  nb: {
    refers: 'dem han hun ham henne dens dets deres denne dette disse samme etterpå',
    refersLast: 'den det de der ellers også',
    opens: 'og|men|eller|så|også|hva med|hvorfor ikke',
  },
  fi: {
    refers: 'sen sitä siinä siitä siihen sillä niitä niiden hän hänen heidän tämä tämän tätä nämä siellä sama',
    refersLast: 'se ne muuten myös',
    opens: 'ja|mutta|tai|entä|entäpä|miksi ei|myös',
  },
  pl: {
    refers: 'ona ono oni one jego jej ich nim tego tej tym tam samo',
    refersLast: 'on go im to ten ta te inaczej potem też',
    opens: 'a|i|ale|lub|albo|więc|także|co z|dlaczego nie',
  },
};

/**
 * A question that leans on the one before, with the words of content that it lacks behind it; undefined when it stands
 * alone. By rules: right answers of follow-ups rise from 5 to 9 of 12 (answers design 6). Both forms should be asked.
 */
export function rewriteQuestion(followUp: FollowUp): string | undefined {
  const { question, previous, language } = followUp;
  if (!isDependent(question, language)) return undefined;
  const stems = new Set(writtenWords(question).map((word) => stemWord(word, language)));
  const carried = new Set(
    writtenWords(previous).filter((word) => !isStopWord(word, language) && !stems.has(stemWord(word, language))),
  );
  if (carried.size === 0) return undefined;
  return `${question.replace(/[\s?？.!]+$/u, '')} ${[...carried].join(' ')}?`;
}

/** Whether a question points back, goes on with what was said, or is too short to stand alone. */
export function isDependent(question: string, language: string): boolean {
  return hasLittleContent(question, language) || pointsBack(question, language);
}

/** Whether a question points back and hardly says anything besides (`where do I buy it`): alone it asks nothing. */
export function dependsOnPrevious(question: string, language: string): boolean {
  return hasLittleContent(question, language) && pointsBack(question, language);
}

function hasLittleContent(question: string, language: string): boolean {
  const words = writtenWords(question);
  const content = words.every((word) => isStopWord(word, language)) ? [] : contentWords(words, language);
  return content.length < MIN_CONTENT_WORDS;
}

function pointsBack(question: string, language: string): boolean {
  const table = TABLES[language];
  if (table === undefined) return false;
  const words = writtenWords(question);
  const opening = `${words.join(' ')} `;
  return (
    words.some((word) => listOf(table.refers).has(word)) ||
    listOf(table.refersLast).has(words.at(-1) ?? '') ||
    table.opens.split('|').some((phrase) => opening.startsWith(`${writtenWords(phrase).join(' ')} `))
  );
}

const lists = new Map<string, ReadonlySet<string>>();

function listOf(written: string): ReadonlySet<string> {
  const list = lists.get(written) ?? new Set(written.split(/\s+/));
  lists.set(written, list);
  return list;
}
