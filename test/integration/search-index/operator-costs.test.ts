import { expect, test } from 'vitest';
import { measureOperators, type OperatorCost } from '../../helpers/operator-costs.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';

/** What any search costs, and so what no estimate has to tell apart. */
const LEAST_MS = 0.3;
/** The short form runs beside other tests, and before every loop is compiled. */
const MOST_RATIO = isLongForm ? 3 : 8;

const ratioOf = ({ estimatedMs, measuredMs }: OperatorCost) => (estimatedMs + LEAST_MS) / (measuredMs + LEAST_MS);

test('what an operator is estimated to cost is what it costs, on pages of 1 to 50 KB', {
  timeout: 600_000,
}, async () => {
  const sizes = isLongForm ? [1_000, 10_000, 50_000] : [10_000];
  const costs: OperatorCost[] = [];
  for (const chars of sizes) costs.push(...(await measureOperators(chars, isLongForm ? 6_000_000 : 1_500_000)));

  const ratios = costs.map(ratioOf);
  const wrong = costs.filter((_, i) => ratios[i]! > MOST_RATIO || ratios[i]! < 1 / MOST_RATIO);

  expect(wrong).toEqual([]);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  reportFigure(
    'search.cost-model',
    `${costs.length} operators: ${least.toFixed(2)} to ${most.toFixed(2)} × the measured`,
  );
});
