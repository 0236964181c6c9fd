import type { Config } from '../config/config.ts';
import type { Health } from '../health/health.ts';
import { type HealthContext, openHealth } from './health.ts';
import { type CountersContext, metricsPrinter } from './installation-counters.ts';
import { createNeighbours } from './neighbours.ts';
import { livenessOf } from './process-lock.ts';
import { productVersion } from './product-files.ts';
import type { SupervisorMessage } from './role.ts';

export type ObservingContext = Omit<HealthContext, 'neighbours'> &
  Pick<CountersContext, 'metrics'> & {
    readonly config: Config;
  };

/** How the api sees the installation: what is wrong with it, and its figures with those of the other processes. */
export function openObserving(context: ObservingContext): {
  readonly health: Health;
  readonly printMetrics: () => Promise<string>;
  readonly hear: (message: SupervisorMessage) => void;
} {
  const neighbours = createNeighbours();
  const opened = openHealth({ ...context, neighbours });
  const counters: CountersContext = {
    ...context,
    ...opened,
    neighbours,
    isProcessAlive: livenessOf(context.config),
    version: productVersion(),
  };
  return { health: opened.health, printMetrics: metricsPrinter(counters), hear: neighbours.hear };
}
