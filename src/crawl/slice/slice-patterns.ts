import type { Clock } from '../../core/clock.ts';
import { originOf, urlPattern, urlTemplateOf } from '../../core/url.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { NewUrl } from '../../storage/engine/frontier.ts';
import type { CountedPattern, PatternChange, PatternStore } from '../../storage/engine/patterns.ts';
import type { RecordedVisit } from '../../storage/engine/visits.ts';
import type { HostHolds } from '../host-holds.ts';
import { judgePattern } from '../rules/traps.ts';
import { statisticsOf, type UrlTemplateStatistics } from '../visit/url-template-statistics.ts';
import type { Visited } from '../visit/visit-url.ts';

/** Pages of a closed pattern that are shown. */
const EXAMPLES = 3;

export type PatternsOf = {
  readonly store: Pick<PatternStore, 'findPattern' | 'changePattern'>;
  readonly clock: Clock;
  readonly urlTemplates: UrlTemplateStatistics;
};

/** What the slice learns of URL templates, and does about those that bring nothing. */
export type SlicePatterns = {
  statisticsOf(row: DueRow, visited: Visited, fresh: readonly NewUrl[]): Promise<RecordedVisit['statistics']>;
  /** Closes, opens and doubts patterns by what their last visits brought. */
  judge(patterns: readonly CountedPattern[]): Promise<void>;
  /**
   * Resolves when the row may be visited: a pattern that brought nothing of late is not visited by more pages at once
   * than may be the last. False: it was closed since the row was taken, which is to be taken again, with the rule.
   */
  mayBegin(row: DueRow): Promise<boolean>;
  end(row: DueRow): void;
};

export function openPatterns({ store, clock, urlTemplates }: PatternsOf): SlicePatterns {
  /** The newest pages of each pattern that brought nothing: examples, and the way to what they said. */
  const samples = new Map<string, Pick<DueRow, 'hostId' | 'url'>[]>();
  /** Rows that were given back: once, for a good pattern of a closed URL template is taken as it was. */
  const returned = new Set<number>();
  /** Patterns that were closed when a page of them was taken. */
  const sampled = new Set<number>();
  let writing: Promise<void> = Promise.resolve();
  return {
    statisticsOf: async (row, { decision, extraction, target }, fresh) => {
      if (row.patternIsClosed === true) {
        sampled.add(row.patternId ?? 0);
        if (!urlTemplates.knows(row)) await restore({ store, urlTemplates }, row);
      }
      const leadsOn = target !== undefined && (target.state === undefined || target.state === 'known');
      const statistics = statisticsOf(urlTemplates, { row, decision, extraction, leadsOn, fresh });
      if (statistics?.informative === false) {
        for (const pattern of [urlPattern(row.url), urlTemplateOf(row.url)]) {
          const key = `${row.hostId} ${pattern}`;
          samples.set(key, [row, ...(samples.get(key) ?? [])].slice(0, EXAMPLES));
        }
      }
      return statistics;
    },
    judge: (patterns) => {
      const at = clock.now();
      const changes = patterns.flatMap(({ id, hostId, pattern, ...counts }): PatternChange[] => {
        const verdict = judgePattern({ pattern, ...counts }, sampled.has(id) || isUrlTemplateOf(patterns, id, sampled));
        if (verdict === undefined) return [];
        if (verdict.to === 'closed') urlTemplates.close(hostId, pattern);
        if (verdict.to === 'open') urlTemplates.open(hostId, pattern);
        const pages = samples.get(`${hostId} ${pattern}`) ?? [];
        const seen = pages[0] && urlTemplates.textsOf(pages[0]);
        return [{ patternId: id, ...verdict, at, seen, examples: pages.map(({ url }) => url) }];
      });
      writing = writing.then(async () => {
        for (const change of changes) await store.changePattern(change);
      });
      return writing;
    },
    mayBegin: async (row) => {
      while (row.patternIsClosed !== true && urlTemplates.mayCloseSoon(row)) await urlTemplates.nextEnd();
      urlTemplates.begin(row);
      if (row.patternIsClosed === true || returned.has(row.urlId) || !urlTemplates.isClosed(row)) return true;
      returned.add(row.urlId);
      await writing;
      return false;
    },
    end: urlTemplates.end,
  };
}

function isUrlTemplateOf(patterns: readonly CountedPattern[], id: number, sampled: ReadonlySet<number>): boolean {
  return patterns.some((member) => member.urlTemplateId === id && sampled.has(member.id));
}

/** A sample is judged by what the pages said before the pattern was closed, by whatever process. */
async function restore(
  { store, urlTemplates }: Pick<PatternsOf, 'store' | 'urlTemplates'>,
  row: DueRow,
): Promise<void> {
  const pattern = await store.findPattern(row.patternId ?? 0);
  const urlTemplate = pattern?.urlTemplateId === undefined ? undefined : await store.findPattern(pattern.urlTemplateId);
  const seen = pattern?.seen ?? urlTemplate?.seen;
  if (seen !== undefined) urlTemplates.restore(row, seen);
}

/** Others of a URL template wait that long for the one that looks whether it is still held. */
const WAIT_FOR_PROBE_MS = 1_000;

export type UrlTemplateGate = {
  /** Until when the URL template of the row is held; undefined when the row may be visited. */
  heldUntil(row: DueRow): number | undefined;
  /**
   * Before a visit: until when the row waits; undefined: it begins, and `end` is to be called. Of a URL template whose hold
   * has ended one URL begins at a time, until one has answered well.
   */
  begin(row: DueRow): number | undefined;
  end(row: DueRow): void;
};

/** What a slice may visit of URL templates that were held. */
export function openUrlTemplateGate(holds: Pick<HostHolds, 'of' | 'ofUrlTemplate'>, clock: Clock): UrlTemplateGate {
  const probed = new Map<string, number>();
  const heldUntil = ({ url }: DueRow) => holds.ofUrlTemplate(originOf(url) ?? '', url, clock.now())?.until;
  return {
    heldUntil,
    begin: (row) => {
      const held = heldUntil(row);
      if (held !== undefined) return held;
      const urlTemplate = suspectedUrlTemplate(holds, row);
      if (urlTemplate === undefined) return undefined;
      if (probed.has(urlTemplate)) return clock.now() + WAIT_FOR_PROBE_MS;
      probed.set(urlTemplate, row.urlId);
      return undefined;
    },
    end: (row) => {
      for (const [urlTemplate, urlId] of probed) if (urlId === row.urlId) probed.delete(urlTemplate);
    },
  };
}

function suspectedUrlTemplate(holds: Pick<HostHolds, 'of'>, { url }: DueRow): string | undefined {
  const origin = originOf(url) ?? '';
  const known = holds.of(origin);
  if (known.length === 0) return undefined;
  const pattern = urlPattern(url);
  const isSuspected = known.some(
    ({ urlTemplate, urlTemplateSuspects }) => urlTemplate === pattern && urlTemplateSuspects > 0,
  );
  return isSuspected ? `${origin}${pattern}` : undefined;
}
