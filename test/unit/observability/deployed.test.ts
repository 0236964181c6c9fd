import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../../../src/cli/main.ts';
import { FINDING_NAMES } from '../../../src/health/health.ts';
import { INSTALLATION_METRICS } from '../../../src/observability/installation-metrics.ts';
import { describeMetrics } from '../../../src/observability/metrics.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
};

const rules = (parse(read('deploy/prometheus/rules.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(read('deploy/grafana/fossick.json')) as {
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
};
const panels = dashboard.panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, ...target })));

/** Labels by the names that Prometheus stores. */
const known = new Map<string, ReadonlySet<string>>([['up', new Set(['job', 'instance'])]]);
for (const { name, type, labels } of INSTALLATION_METRICS) note(name, type, labels);
for (const { name, type, labels } of describeMetrics()) note(name, type, [...labels, 'process']);

function note(name: string, type: string, labels: readonly string[]): void {
  if (type !== 'histogram') known.set(name, new Set(labels));
  else for (const part of ['_bucket', '_sum', '_count']) known.set(name + part, new Set([...labels, 'le']));
}

/** Names in an expression that no metric, and labels that none of its metrics, has. */
function unknownIn(expression: string, shown = ''): readonly string[] {
  const bare = expression.replace(/"[^"]*"/g, '""');
  const names = [...bare.matchAll(/\b(?:fossick_\w+|up)\b/g)].map(([name]) => name);
  const labels = [
    ...[...bare.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) => inside.split(',')),
    ...[...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inside = '']) => inside.split(',')),
  ].map((label) => label.replace(/[=~!].*/, '').trim());
  const used = [...labels, ...[...shown.matchAll(/\{\{ *(?:\$labels\.)?(\w+) *\}\}/g)].map(([, label = '']) => label)];
  const has = (label: string) => names.some((name) => known.get(name)?.has(label));
  return [...names.filter((name) => !known.has(name)), ...used.filter((label) => !has(label))];
}

test.each(rules)('the alert $alert names only metrics and labels that exist', ({ expr, annotations }) => {
  expect(unknownIn(expr, Object.values(annotations).join(' '))).toEqual([]);
});

test.each(panels)('the panel "$title" names only metrics and labels that exist: $expr', ({ expr, legendFormat }) => {
  expect(unknownIn(expr, legendFormat)).toEqual([]);
});

test('an alert says what is wrong and what to do, and its name is its own', () => {
  const commands = rules.flatMap(
    ({ annotations }) => /^npx fossick ([a-z]+)/.exec(annotations['command'] ?? '')?.[1] ?? [],
  );

  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const rule of rules) {
    expect(rule).toMatchObject({
      for: expect.stringMatching(/^\d+[mh]$/),
      labels: { severity: expect.stringMatching(/^(?:warning|critical)$/) },
      annotations: { summary: expect.any(String), command: expect.any(String) },
    });
  }
  expect(commands.filter((name) => !COMMANDS.some((command) => command.name.split(' ')[0] === name))).toEqual([]);
});

describe('the check', () => {
  test('finds what does not exist', () => {
    expect(unknownIn('rate(fossick_nothing_total[5m]) > 0')).toEqual(['fossick_nothing_total']);
    expect(unknownIn('sum by (city) (fossick_redis_up{job="x"})', '{{ role }}')).toEqual(['job', 'city', 'role']);
  });

  test('every name of a finding is a word of its own', () => {
    expect(FINDING_NAMES.filter((name) => !/^[a-z]+(?:-[a-z]+)*$/.test(name))).toEqual([]);
  });
});
