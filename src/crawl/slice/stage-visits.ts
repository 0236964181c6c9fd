import type { Stage } from '../../core/crawl-words.ts';
import type { HostSlots } from '../host-slots.ts';
import { unlearned } from '../rules/politeness.ts';
import { visitFile } from '../visit/visit-file.ts';
import { visitRendered } from '../visit/visit-rendered.ts';
import { isSitemap, visitSitemap } from '../visit/visit-sitemap.ts';
import { type VisitRow, visitUrl } from '../visit/visit-url.ts';
import type { PreparedHost } from './slice-dispatcher.ts';

/** What a visit of each stage does. */
const VISITS: Readonly<Record<Stage, VisitRow>> = {
  page: visitPageOrSitemap,
  render: visitRendered,
  file: visitFile,
};

export function visitOf(stage: Stage): VisitRow {
  return VISITS[stage];
}

function visitPageOrSitemap(...[deps, visit, signal]: Parameters<VisitRow>): ReturnType<VisitRow> {
  return isSitemap(visit.row) ? visitSitemap(deps, visit, signal) : visitUrl(deps, visit, signal);
}

/** A stage that asks no host needs no leave of one: every visit may start at once. */
export const FREE_SLOTS: HostSlots = {
  acquire: async (asked) =>
    asked.flatMap(({ origin, want }) =>
      Array.from({ length: want }, (_, position) => ({
        origin,
        grant: `free-${position}`,
        startInMs: 0,
        spacingMs: 0,
      })),
    ),
  release: async () => undefined,
  observedPace: async () => new Map(),
  hold: async () => undefined,
};

/** Rows of a host that such a stage leases ahead: enough for every parser of a process. */
const UNPACED_SLOTS = 16;
export const UNPACED: PreparedHost = { pace: unlearned({ slots: UNPACED_SLOTS, spacingMs: 0 }) };
