import { type ClaimSupport, supportOf } from './claim-support.ts';
import { identifiersOf } from './support/identifiers.ts';
import { readText } from './support/read-text.ts';
import type { SourceText } from './support/source-text.ts';

/** Of the words and numbers of a block. */
const FOUND_TOKENS = 0.9;
const TOKEN = /[\p{L}\p{N}_]+/gu;

/** The source that has nearly all words of a fenced block and all its identifiers; undefined when none has. Linear. */
export function findCodeSupport(block: string, sources: readonly SourceText[]): ClaimSupport | undefined {
  const code = bodyOf(block);
  const tokens = tokensOf(code);
  if (tokens.length === 0) return undefined;
  for (const source of sources) {
    const text = source.sentences.map(({ read }) => read.plain).join('\n');
    const there = new Set(tokensOf(text));
    const found = tokens.filter((token) => there.has(token)).length;
    const hasAll =
      found >= tokens.length * FOUND_TOKENS && identifiersOf(code).every((identifier) => text.includes(identifier));
    if (hasAll) return supportOf(readText(code, source.language), source, source.sentences);
  }
  return undefined;
}

/** Without the fences and the name of the language. */
function bodyOf(block: string): string {
  return block.trim().split('\n').slice(1, -1).join('\n');
}

function tokensOf(text: string): readonly string[] {
  return text.toLowerCase().match(TOKEN) ?? [];
}
