import { fragmentsOf } from './fragments.ts';
import { deliveredText, type GradedResult, unitsOf, verdictOf } from './graded-measures.ts';
import { SITE_CRAWLER } from './graded-questions.ts';
import type { GradedReadings } from './grades.ts';

const LABEL_CHARS = 10;

/** A question with what a right answer tells and the concise answer as delivered, one below the other. */
export function readable({ asked, concise, rank, gate }: GradedResult): string {
  const cited = concise.cited.map((key, index) => `[${index + 1}] ${pageOf(key)}`);
  const given = concise.refusal === undefined ? [deliveredText(concise), ...cited] : [`(${concise.refusal})`];
  return [
    `${asked.set} ${asked.id}, ${asked.wording ?? asked.kind}: ${asked.question}`,
    labelled('wanted', asked.answer),
    labelled(verdictOf(asked, concise), given.join('\n')),
    ...fragmentsOf(unitsOf(concise)).map((unit) => labelled('fragment', unit.trim())),
    ...(gate === undefined
      ? []
      : [labelled('', `passage that answers: rank ${rank}; p ${gate.probability.toFixed(2)}`)]),
  ].join('\n');
}

/** The same with what both readings said of it. */
export function disputed({ result, first, second }: GradedReadings): string {
  const said = [first, second].map(
    (each) => `${each?.grade}, opens ${each?.opensRight ? 'right' : 'with other matter'}`,
  );
  return `${readable(result)}\n${labelled('read', said.join(' / '))}`;
}

function labelled(label: string, text: string): string {
  return `  ${label.padEnd(LABEL_CHARS)} ${text.replaceAll('\n', `\n${' '.repeat(LABEL_CHARS + 3)}`)}`;
}

/** Id of the document of a key. */
export function pageOf(key: string): string {
  return key.slice(`${SITE_CRAWLER}/`.length);
}
