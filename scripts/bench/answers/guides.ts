import { generateCorpus } from '../generate-corpus.ts';
import { seededRandom } from '../seeded-random.ts';

/** A page of a manual, and questions that its sentences answer. */
export type Guide = {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  /** `QUESTIONS_PER_GUIDE` of them. */
  readonly questions: readonly string[];
};

export const QUESTIONS_PER_GUIDE = 7;

const STARTS = 'Ar Bel Cor Dan Fen Gal Hul Jor Kel Lom Mar Nor Ost Pel Quin Ras Sil Tor Ulm Ven Wex Zan'.split(' ');
const MIDDLES = 'a e i o u ae ia or an en il um'.split(' ');
const ENDS = 'dor lin mar nex pol quo rid sta tel vex wyn zor'.split(' ');
const KINDS = ['pump', 'mill', 'press', 'dryer', 'mixer', 'furnace', 'lathe', 'compressor'];

/** Chapters of other text in a guide: 3 to 8 KB with it. */
const CHAPTERS = { least: 2, most: 7 } as const;

/** `count` pages of 3 to 8 KB with seven facts in one chapter, the same for every run. */
export function* generateGuides(count: number): Generator<Guide> {
  const random = seededRandom(20);
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? '';
  const number = (from: number, to: number) => from + Math.floor(random() * (to - from));
  const texts = generateCorpus(count * CHAPTERS.most);
  for (let index = 0; index < count; index++) {
    const chapters = Array.from(
      { length: number(CHAPTERS.least, CHAPTERS.most) },
      () => texts.next().value?.content ?? '',
    );
    const kind = pick(KINDS);
    const name = `${pick(STARTS)}${pick(MIDDLES)}${pick(ENDS)} ${number(100, 9_999)}`;
    const sentences = [
      `The ${name} ${kind} runs at ${number(10, 90)} bar and needs ${number(2, 40)} kilowatts of electric power.`,
      `Its filter is replaced every ${number(2, 52)} weeks by a trained person who has read the safety rules.`,
      `The noise of the ${kind} at a distance of one metre is ${number(50, 99)} decibels, so ears have to be protected.`,
      `Oil of class ${number(10, 99)} is filled into the ${name} while it stands still and has cooled down.`,
      `Spare parts are kept in stock for ${number(5, 25)} years after the last ${kind} of the series was sold.`,
      `Before the first start the ground is levelled, the bolts are tightened and the covers are closed by hand.`,
      `A red lamp tells that the pressure is too high; the ${kind} then stops by itself within ${number(2, 20)} seconds.`,
    ];
    chapters.splice(number(0, chapters.length), 0, sentences.join(' '));
    const title = `${name} ${kind}`;
    const questions = [
      `How often is the filter of the ${title} replaced?`,
      `At what pressure does the ${title} run?`,
      `How loud is the ${title} at a distance of one metre?`,
      `Which oil is filled into the ${title}?`,
      `How long are spare parts of the ${title} kept in stock?`,
      `What has to be done before the first start of the ${title}?`,
      `What does the red lamp of the ${title} tell?`,
    ];
    yield { id: `https://manual.example/${index}`, title, content: chapters.join('\n\n'), questions };
  }
}
