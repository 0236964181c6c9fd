import type { Passage } from '../search/passage.ts';
import { isInjected } from '../text/injected-text.ts';
import { splitSentences } from '../text/sentences.ts';

/** Title and headings of a passage as what is said there, without sentences that address an assistant. */
export function passageHeadings({ title, headings, language }: Passage): Pick<Passage, 'title' | 'headings'> {
  const own = (line: string) => ownSentences(line, language);
  return { title: own(title), headings: headings.map(own).filter((heading) => heading !== '') };
}

function ownSentences(line: string, language: string): string {
  const sentences = splitSentences(line, language);
  const own = sentences.filter((sentence) => !isInjected(sentence, language));
  return own.length === sentences.length ? line : own.join(' ');
}
