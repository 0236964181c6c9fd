import type { ScorePart } from '../../generated-types.ts';

const LABELS: Readonly<Record<string, string>> = {
  score: 'Score',
  relevance: 'Relevance',
  words: 'Words of the query',
  word: 'Word',
  bonuses: 'Bonuses',
  proximity: 'Words close together',
  titleCoverage: 'Title holds the words',
  titleIsQuery: 'Title is the query',
  phraseInTitle: 'Phrase in the title',
  phraseInB: 'Phrase in the description',
  stopWords: 'Stop words',
  recency: 'Recency',
};

/** `titleCoverage` → `Title coverage` for a part that has no label yet. */
function labelOf({ name, inputs }: ScorePart): string {
  const label = LABELS[name] ?? name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const { text } = inputs;
  return typeof text === 'string' ? `${label} “${text}”` : label;
}

const FIGURES = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** Parts that add up to the score, the largest first. */
function addendsOf(part: ScorePart): readonly ScorePart[] {
  const { parts = [] } = part;
  const sum = parts.reduce((total, { value }) => total + value, 0);
  const isSum = parts.length > 0 && Math.abs(sum - part.value) < 1e-6 * Math.max(1, Math.abs(part.value));
  return isSum ? parts.flatMap(addendsOf) : [part];
}

const MAX_COLOURS = 6;

/** The score as a bar, as long as the best one of the page is; its parts in their order. */
export function ScoreBar({ score, most }: { readonly score: ScorePart; readonly most: number }) {
  const addends = addendsOf(score)
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value);
  return (
    <span class="score-line">
      <span class="score-value">{FIGURES.format(score.value)}</span>
      <span class="score-bar">
        {addends.map((part, place) => (
          <span
            key={labelOf(part)}
            class={`score-part part-${Math.min(place + 1, MAX_COLOURS)}`}
            title={`${labelOf(part)}: ${FIGURES.format(part.value)}`}
            style={{ inlineSize: `${(100 * part.value) / (most || 1)}%` }}
          />
        ))}
      </span>
      <span class="quiet small score-names">
        {addends
          .slice(0, 3)
          .map((part) => labelOf(part))
          .join(' · ')}
      </span>
    </span>
  );
}

/** What the score is made of, down to the numbers. */
export function ScoreTree({ score }: { readonly score: ScorePart }) {
  return (
    <ul class="score-tree">
      <Branch part={score} most={score.value} />
    </ul>
  );
}

function Branch({ part, most }: { readonly part: ScorePart; readonly most: number }) {
  const inputs = Object.entries(part.inputs).filter(([name]) => name !== 'text');
  return (
    <li>
      <div class="branch">
        <span class="any">{labelOf(part)}</span>
        <span class="branch-bar">
          <span style={{ inlineSize: `${(100 * Math.min(Math.max(part.value, 0), most)) / (most || 1)}%` }} />
        </span>
        <span class="number">{FIGURES.format(part.value)}</span>
        {inputs.length > 0 && (
          <span class="quiet small any branch-inputs">
            {inputs
              .map(([name, value]) => `${name} ${typeof value === 'number' ? FIGURES.format(value) : value}`)
              .join(' · ')}
          </span>
        )}
      </div>
      {part.parts !== undefined && (
        <ul>
          {part.parts.map((child, place) => (
            <Branch key={`${child.name} ${place}`} part={child} most={most} />
          ))}
        </ul>
      )}
    </li>
  );
}
