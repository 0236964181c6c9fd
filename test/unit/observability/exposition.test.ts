import { expect, test } from 'vitest';
import { mergeFamilies, printFamilies } from '../../../src/observability/exposition.ts';
import { type InstallationCounters, installationFamilies } from '../../../src/observability/installation-metrics.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';

const NOTHING: InstallationCounters = {
  version: '1.2.3',
  findings: undefined,
  roles: undefined,
  children: [],
  probeSeconds: undefined,
  disk: undefined,
  redis: undefined,
  engines: undefined,
  crawl: undefined,
  jobsWaiting: undefined,
  lastBackupAt: undefined,
};

test('figures of several processes are one family with the process as a label, also after a way through JSON', async () => {
  const [api, crawl] = [createMetrics(), createMetrics()];
  api.httpRateLimited.inc({ class: 'say "hi"\\' });
  crawl.storeWrite.observe(0.02);
  const sent = JSON.parse(JSON.stringify(await crawl.read()));

  const printed = printFamilies(
    mergeFamilies(
      new Map([
        ['api', await api.read()],
        ['crawl-1', sent],
      ]),
    ),
  );

  expect(printed).toContain('fossick_http_rate_limited_total{class="say \\"hi\\"\\\\",process="api"} 1\n');
  expect(printed).toContain('fossick_store_write_seconds_bucket{le="0.025",process="crawl-1"} 1\n');
  expect(printed).toContain('fossick_store_write_seconds_bucket{le="+Inf",process="crawl-1"} 1\n');
  expect(printed.match(/^# TYPE fossick_store_write_seconds histogram$/gm)).toHaveLength(1);
  expect(printed).not.toMatch(/ (?:NaN|null|undefined)$/m);
});

test('a part that cannot be read leaves the others, and every metric keeps its lines of help', () => {
  const printed = printFamilies(installationFamilies({ ...NOTHING, redis: { roundTripSeconds: undefined } }));

  expect(printed).toContain('\nfossick_redis_up 0\n');
  expect(printed).toContain('# TYPE fossick_disk_free_bytes gauge\n# HELP');
  expect(printed).toMatch(/^fossick_build_info\{version="1\.2\.3",node="v[\d.]+"\} 1$/m);
});

test('runs of several crawlers with the same labels are one value', () => {
  const runs = [
    { kind: 'full', state: 'finished', count: 4 },
    { kind: 'full', state: 'finished', count: 1 },
  ];
  const empty = new Map<string, number>();
  const hosts = { hostsHeld: new Map([['tls', 2]]), hostsStalled: new Map([['host-held', 1]]) };
  const crawl = { slicesBusy: empty, ...hosts, oldestDueSeconds: empty, runs };
  const printed = printFamilies(
    installationFamilies({ ...NOTHING, crawl: { ...crawl, waitingUrls: 7, heldRemovals: 0 } }),
  );

  expect(printed).toContain('\nfossick_crawl_runs{kind="full",state="finished"} 5\n');
  expect(printed).toContain('\nfossick_crawl_hosts_held{reason="tls"} 2\n');
  expect(printed).toContain('\nfossick_crawl_hosts_stalled{cause="host-held"} 1\n');
  expect(printed).toContain('\nfossick_crawl_waiting_urls 7\n');
});
