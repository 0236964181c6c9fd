import type { Registry } from 'prom-client';

export type MetricSample = {
  /** Of a histogram: with `_bucket`, `_sum` or `_count`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** A metric with its values; plain data, so that it can be sent to another process. */
export type MetricFamily = {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly MetricSample[];
};

/** Prometheus text format, version 0.0.4. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The values of a registry now. */
export async function readFamilies(registry: Registry): Promise<readonly MetricFamily[]> {
  const metrics = (await registry.getMetricsAsJSON()) as unknown as readonly ClientMetric[];
  return metrics.map(({ name, help, type, values }) => ({
    name,
    help,
    type,
    // A figure that is not known yet is none, and JSON has no word for it.
    samples: values
      .filter(({ value }) => Number.isFinite(value))
      .map((value) => ({
        name: value.metricName ?? name,
        labels: Object.fromEntries(Object.entries(value.labels).map(([label, text]) => [label, String(text)])),
        value: value.value,
      })),
  }));
}

/** As prom-client gives it; its own types leave out `metricName`. */
type ClientMetric = {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly {
    readonly metricName?: string;
    readonly labels: Readonly<Record<string, string | number>>;
    readonly value: number;
  }[];
};

/** The families of several processes as one list, each sample with the process that it is of. */
export function mergeFamilies(byProcess: ReadonlyMap<string, readonly MetricFamily[]>): readonly MetricFamily[] {
  const merged = new Map<string, { readonly family: MetricFamily; readonly samples: MetricSample[] }>();
  for (const [process, families] of byProcess) {
    for (const family of families) {
      const known = merged.get(family.name) ?? { family, samples: [] };
      merged.set(family.name, known);
      for (const sample of family.samples) known.samples.push({ ...sample, labels: { ...sample.labels, process } });
    }
  }
  return [...merged.values()].map(({ family, samples }) => ({ ...family, samples }));
}

export function printFamilies(families: readonly MetricFamily[]): string {
  const lines = families.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(printSample),
  ]);
  return `${lines.join('\n')}\n`;
}

function printSample({ name, labels, value }: MetricSample): string {
  const named = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${named.length === 0 ? '' : `{${named.join(',')}}`} ${value}`;
}

function escapeLabel(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
