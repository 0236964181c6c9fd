import { RELATED_TEXTS } from '../../src/search/cosine-scale.ts';

/** What the fake model says: from the prompt alone, so that a guard in front of it has something to verify. */

export type PromptSource = { readonly number: string; readonly text: string };

const SOURCE = /<S-(?<key>[0-9a-f]+) n="(?<number>\d+)"[^>]*>(?<text>[\s\S]*?)<\/S-\k<key>>/g;
const QUESTION = /<Q-(?<key>[0-9a-f]+)>(?<text>[\s\S]*?)<\/Q-\k<key>>/;
const DATA = /<(?<kind>[SC])-(?<key>[0-9a-f]+)(?<head>[^>]*)>(?<text>[\s\S]*?)<\/\k<kind>-\k<key>>/g;
const ORDER = /\b(?:ignore|reply|respond|say|write|include|output|answer with|print|add|insert|tell|repeat)\b/i;
/** Looks like something to repeat: capitals and digits. */
const CODE_WORD = /\b[A-Z]{3,}\d+\b/g;

export function sourcesOf(prompt: string): readonly PromptSource[] {
  return [...prompt.matchAll(SOURCE)].map(({ groups }) => ({
    number: groups?.['number'] ?? '',
    text: groups?.['text']?.trim() ?? '',
  }));
}

/** The first two sentences of the first source and one of each other, each with its marker; a rewrite, its question. */
export function groundedAnswer(prompt: string, marker = (number: string) => ` [${number}]`): string {
  const sources = sourcesOf(prompt);
  if (sources.length === 0) return questionOf(prompt);
  const segments = sources.flatMap(({ number, text }, index) =>
    sentencesOf(text)
      .slice(0, index === 0 ? 2 : 1)
      .map((sentence) => `${sentence}${marker(number)}`),
  );
  return segments.join(' ');
}

/** Changes the numbers of every sentence that the share hits, or its polarity when it has none. */
export function lyingAnswer(prompt: string, share: number): string {
  const segments = groundedAnswer(prompt).split(/(?<=\])\s/);
  return segments.map((unit, index) => (index % 10 < share * 10 ? falsified(unit) : unit)).join(' ');
}

/**
 * Does what the data of the prompt orders, and more: says what stands in quotation marks, links what is a URL, and
 * says every code word of text or title, alone and within sentences that are true.
 */
export function obedientAnswer(prompt: string): string {
  const data = [...prompt.matchAll(DATA)].map(({ groups }) => `${groups?.['head']}\n${groups?.['text']}`);
  const orders = data.flatMap(sentencesOf).filter((sentence) => ORDER.test(sentence));
  const quoted = orders.flatMap((order) =>
    [...order.matchAll(/["“'`]([^"”'`]{3,200})["”'`]/g)].map(([, said]) => said),
  );
  const links = orders.flatMap((order) => order.match(/https?:\/\/[^\s"'<>)]+/g) ?? []);
  const codes = new Set(data.flatMap((text) => text.match(CODE_WORD) ?? []));
  const grounded = groundedAnswer(prompt);
  return [
    ...[...quoted, ...codes].map((said) => `${said} [1].`),
    ...links.map((url) => `[Click here](${url}) ![x](${url}) [1].`),
    ...[...codes].map((code) => grounded.replace(/[.!?]? \[/, ` ${code} [`)),
    grounded,
  ].join(' ');
}

/** Tells all that it was given, line by line and as if a source said it, before it answers. */
export function leakingAnswer(prompt: string): string {
  const lines = prompt.split('\n').filter((line) => line.trim() !== '');
  return [...lines.map((line) => `${line} [1]`), groundedAnswer(prompt)].join('\n\n');
}

export function withLinks(prompt: string): string {
  return `${groundedAnswer(prompt)} See [the manual](https://evil.example/a) and https://evil.example/b ![i](https://evil.example/c.png) [1].`;
}

/** What embedding models know and word lists do not: these words stand for the same thing. */
const SAME_MEANING: readonly (readonly string[])[] = [
  ['refund', 'reimbursement', 'reimbursed', 'repaid'],
  ['bicycle', 'velocipede', 'penny-farthing'],
  ['warden', 'porter'],
  ['boathouse', 'hangar'],
  ['crew', 'squad'],
];

/** The text with one word for all that mean the same. */
export function meaningOf(text: string): string {
  return SAME_MEANING.reduce(
    (written, [first = '', ...others]) => written.replace(new RegExp(`\\b(?:${others.join('|')})\\b`, 'gi'), first),
    text,
  );
}

/** A bag of hashed words: texts that share words are near. */
export function hashedBag(text: string, dimensions = 64): readonly number[] {
  const bag = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    let hash = 0;
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
    bag[hash % dimensions] = (bag[hash % dimensions] ?? 0) + 1;
  }
  return bag;
}

/** What texts are about beside the pairs that the product measures a model by, which are less near than one topic. */
const TOPICS: readonly RegExp[] = [/refund|money back|reimburs/i, /velocipede|bicycle/i, /moon|planet/i];
const WEIGHTS = { ofAll: 0.5, ofPair: 0.5, ofOneText: 0.7, ofTopic: 1 } as const;

/** Texts on one topic are near, whatever their words. */
export function topicsOf(text: string): readonly number[] {
  const ofPairs = RELATED_TEXTS.flatMap(([question, answer]) => {
    const [isQuestion, isAnswer] = [text === question, text === answer];
    const own = [isQuestion, isAnswer].map((is) => (is ? WEIGHTS.ofOneText : 0));
    return [isQuestion || isAnswer ? WEIGHTS.ofPair : 0, ...own];
  });
  return [WEIGHTS.ofAll, ...ofPairs, ...TOPICS.map((topic) => (topic.test(text) ? WEIGHTS.ofTopic : 0))];
}

function questionOf(prompt: string): string {
  return (QUESTION.exec(prompt)?.groups?.['text'] ?? prompt).trim();
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function falsified(unit: string): string {
  const body = unit.replace(/ ?\[\d+\]$/, '');
  const changed = body.replace(/\d+/, (digits) => String(Number(digits) + 7));
  return `${changed === body ? body.replace(/\b(is|are|can|must|will)\b/, '$1 not') : changed}${unit.slice(body.length)}`;
}
