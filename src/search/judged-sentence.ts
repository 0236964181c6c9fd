import type { PassageSentence } from './passage.ts';

/** The sentences around one, in its block. */
type Beside = { readonly before: string | undefined; readonly next: string | undefined };

/** Says whether a sentence addresses an assistant instead of a reader, by itself or with those beside it. */
export type IsInjected = (sentence: string, language: string, beside: Beside) => boolean;

/** What the sentences of a document are judged by. */
export type SentenceJudging = { readonly language: string; readonly isInjected: IsInjected };

/**
 * A sentence that finds out whether it is suspicious when it is asked first: that costs more than all else together. A
 * class, as thousands are kept: with a getter of its own each object has a shape of its own, which is larger and slow to read.
 */
export class JudgedSentence implements PassageSentence {
  readonly text: string;
  readonly kind: PassageSentence['kind'];
  readonly block: number;
  readonly startsLine: boolean;
  readonly #before: string | undefined;
  readonly #next: string | undefined;
  readonly #judging: SentenceJudging;
  #isSuspicious: boolean | undefined;

  constructor(sentence: Omit<PassageSentence, 'isSuspicious'>, { before, next }: Beside, judging: SentenceJudging) {
    this.text = sentence.text;
    this.kind = sentence.kind;
    this.block = sentence.block;
    this.startsLine = sentence.startsLine;
    this.#before = before;
    this.#next = next;
    this.#judging = judging;
  }

  get isSuspicious(): boolean {
    const { language, isInjected } = this.#judging;
    this.#isSuspicious ??= isInjected(this.text, language, { before: this.#before, next: this.#next });
    return this.#isSuspicious;
  }
}
