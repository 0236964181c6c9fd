import type { FrontierStore } from '../frontier-store.ts';
import type { Host, RunStore } from '../run-store.ts';
import type { EngineConnection } from './connection.ts';
import { countHeldHosts, crawlersWithRows, findHost, heldUntil, hostsWithWork } from './hosts.ts';
import { abandonedLanes, leasedLanes, listLanes } from './lanes.ts';
import { countRuns, findRun, listRuns, livingRuns, livingRunsOf, scheduledRuns } from './runs.ts';
import { countUrls, countUrlsUpTo, findUrl } from './url-records.ts';
import { listVisits } from './visit-log.ts';

/** The crawling part of an engine's store: reads on this thread, writes on the write thread. */
export function frontierStore({ engineId, thread }: EngineConnection): FrontierStore {
  return {
    addUrls: (input) => thread.engine(engineId, 'addUrls', input),
    queueUrls: (input) => thread.engine(engineId, 'queueUrls', input),
    logDiscarded: (crawlerId, urls, reason, at) =>
      thread.engine(engineId, 'logDiscarded', { crawlerId, urls, reason, at }),
    takeLane: (input) => thread.engine(engineId, 'takeLane', input),
    beatLane: (lane) => thread.engine(engineId, 'beatLane', lane),
    freeLane: (lane) => thread.engine(engineId, 'freeLane', lane),
    takeDue: (input) => thread.engine(engineId, 'takeDue', input),
    returnLeases: (lane, rows) => thread.engine(engineId, 'returnLeases', { lane, rows }),
    makeDue: (hostId, input) => thread.engine(engineId, 'makeDue', { hostId, ...input }),
    followClockJumps: (jumps, at) => thread.engine(engineId, 'followClockJumps', { jumps, at }),
    recordVisits: (input) => thread.engine(engineId, 'recordVisits', input),
    discardVoid: (input) => thread.engine(engineId, 'discardVoid', input),
    queueConfirmations: (input, limit) => thread.engine(engineId, 'queueConfirmations', { ...input, limit }),
  };
}

/** Runs, hosts and what has been seen. */
export function runStore({ engineId, read, thread }: EngineConnection): RunStore {
  return {
    createRun: (input) => thread.engine(engineId, 'createRun', input),
    startRun: (id, at) => thread.engine(engineId, 'startRun', { id, at }),
    planRun: (runId, limit, now) => thread.engine(engineId, 'planRun', { runId, limit, now }),
    endRun: (id, now) => thread.engine(engineId, 'endRun', { id, now }),
    finishRun: (id, summary, at) => thread.engine(engineId, 'finishRun', { id, summary, at }),
    failRun: (id, summary, at) => thread.engine(engineId, 'failRun', { id, summary, at }),
    cutRun: (id, limit, at, held) => thread.engine(engineId, 'cutRun', { id, limit, at, held }),
    pauseRuns: (crawlerId, at, summary) => thread.engine(engineId, 'pauseRuns', { crawlerId, at, summary }),
    resumeRuns: (crawlerId, at) => thread.engine(engineId, 'resumeRuns', { crawlerId, at }),
    stopRun: (crawlerId, at) => thread.engine(engineId, 'stopRun', { crawlerId, at }),
    stopRuns: (crawlerId, activation, at) => thread.engine(engineId, 'stopRuns', { crawlerId, activation, at }),
    discardRun: (runId, limit, at) => thread.engine(engineId, 'discardRun', { runId, limit, at }),
    correctOpen: (runId) => thread.engine(engineId, 'correctOpen', { runId }),
    findRun: async (runId) => findRun(read, runId),
    listRuns: async (crawlerId, limit) => listRuns(read, crawlerId, limit),
    scheduledRuns: async (crawlerId, limit) => scheduledRuns(read, crawlerId, limit),
    livingRuns: async () => livingRuns(read),
    livingRunsOf: async (crawlerId) => livingRunsOf(read, crawlerId),
    hostsWithWork: async (input) => hostsWithWork(read, input),
    ensureHost: async (crawlerId, origin) => {
      const hostId = await thread.engine(engineId, 'ensureHost', { crawlerId, origin });
      return findHost(read, hostId) as Host;
    },
    findHost: async (hostId) => findHost(read, hostId),
    countHeldHosts: async (crawlerId, now) => countHeldHosts(read, crawlerId, now),
    dropQueueRuns: (crawlerId, before, limit) => thread.engine(engineId, 'dropQueueRuns', { crawlerId, before, limit }),
    countRuns: async (crawlerId) => countRuns(read, crawlerId),
    heldUntil: async (hostId) => heldUntil(read, hostId),
    leaseRobots: (hostId, lease) => thread.engine(engineId, 'leaseRobots', { hostId, ...lease }),
    freeRobots: (hostId, leasedAt) => thread.engine(engineId, 'freeRobots', { hostId, leasedAt }),
    savePaces: (crawlerId, paces) => thread.engine(engineId, 'savePaces', { crawlerId, paces }),
    saveRobots: (hostId, copy, hold) => thread.engine(engineId, 'saveRobots', { hostId, copy, hold }),
    leasedLanes: async () => leasedLanes(read),
    withdrawLane: (lane) => thread.engine(engineId, 'withdrawLane', lane),
    abandonedLanes: async () => abandonedLanes(read),
    listLanes: async (crawlerId) => listLanes(read, crawlerId),
    crawlersWithRows: async () => crawlersWithRows(read),
    findUrl: async (crawlerId, url) => findUrl(read, crawlerId, url),
    countUrls: async (crawlerId) => countUrls(read, crawlerId),
    countUrlsUpTo: async (of) => countUrlsUpTo(read, of),
    listVisits: async (of) => listVisits(read, of),
    dropVisits: (crawlerId, before, limit) => thread.engine(engineId, 'dropVisits', { crawlerId, before, limit }),
  };
}
