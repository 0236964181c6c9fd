import type { Token } from '../text/analyzer.ts';

/** A marked part of a text: `[start, end)`, and which matched word it stands for. */
export type Mark = { readonly start: number; readonly end: number; readonly word: number };

/** Per matched word the stems that stand for it in this field; undefined = not asked of this field. */
export type AskedWords = readonly (ReadonlySet<string> | undefined)[];

/** Every token that stands for an asked word. */
export function wordMarks(tokens: readonly Token[], asked: AskedWords): readonly Mark[] {
  return tokens.flatMap((token) => {
    const word = asked.findIndex((stems) => stems?.has(token.stem) === true);
    return word === -1 ? [] : [markOf(token, word)];
  });
}

/** The tokens of each place where all words stand in this order, at most `slop` further positions between them. */
export function phraseMarks(tokens: readonly Token[], asked: AskedWords, slop: number): readonly Mark[] {
  const ordered = tokens.toSorted((a, b) => a.position - b.position);
  const byWord = asked.map((stems) => ordered.filter(({ stem }) => stems?.has(stem) === true));
  const cursors = byWord.map(() => 0);
  return (byWord[0] ?? []).flatMap((first) => {
    const chain: Token[] = [first];
    for (let word = 1; word < byWord.length; word++) {
      const next = nextBehind(byWord[word] ?? [], chain.at(-1)?.position ?? 0, cursors, word);
      if (next === undefined) return [];
      chain.push(next);
    }
    const between = (chain.at(-1)?.position ?? 0) - first.position - (chain.length - 1);
    return between <= slop ? chain.map(markOf) : [];
  });
}

/** The first token behind a position; cursors only move on, as the starts of the chains do. */
function nextBehind(tokens: readonly Token[], position: number, cursors: number[], word: number): Token | undefined {
  let at = cursors[word] ?? 0;
  while (at < tokens.length && (tokens[at]?.position ?? 0) <= position) at++;
  cursors[word] = at;
  return tokens[at];
}

function markOf({ start, end }: Token, word: number): Mark {
  return { start, end, word };
}
