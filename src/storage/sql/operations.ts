import { applyRemovals, askRemovals, expireRemovals } from './apply-removals.ts';
import { askBackup, endBackup, forgetBackup, startBackup } from './backups.ts';
import { changeRecords } from './change-records.ts';
import { followClockJumps, noteTime } from './clock-jumps.ts';
import { addExchange, addTokens, dropConversations, freeConversation, takeConversation } from './conversations.ts';
import { noteDamaged } from './damaged-documents.ts';
import {
  askIndexWork,
  deleteCrawlerDocuments,
  deleteDocuments,
  deleteMatching,
  endIndexWork,
  patchDocuments,
  purgeDeleted,
  putDocuments,
} from './documents.ts';
import { dropTracking } from './drop-tracking.ts';
import { collapseDuplicates } from './duplicate-records.ts';
import { mergeFeedback, mergeRatedFeedback } from './feedback.ts';
import { addUrls, discardVoid, queueConfirmations, queueUrls } from './frontier.ts';
import { addGoldenQuestion, addGoldenResults, endGoldenRound, removeGoldenQuestion } from './golden-questions.ts';
import { forgetRobots, noteNotFound, releaseHost } from './host-content.ts';
import { changeHolds, dropHolds, endHolds } from './host-holds.ts';
import { noteProbe } from './host-probes.ts';
import { ensureHost, freeRobots, leaseRobots, savePaces, saveRobots } from './hosts.ts';
import { startEpoch } from './identity.ts';
import { beatLane, freeLane, takeLane, withdrawLane } from './lanes.ts';
import { giveLease, takeLease } from './leases.ts';
import { rememberOnce } from './meta.ts';
import { completeVectors, dropOtherVectors, putVectors } from './passage-vectors.ts';
import { changePattern } from './patterns.ts';
import { correctOpen, cutRun, discardRun, pauseRuns, resumeRuns, stopRun } from './run-control.ts';
import { planRun } from './run-plan.ts';
import { createRun, dropQueueRuns, endRun, failRun, finishRun, startRun, stopRuns } from './runs.ts';
import { addSitemapEntries, addSitemaps } from './sitemaps.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { addSynonymGroup, removeSynonymGroups, replaceSynonymGroup } from './synonym-groups.ts';
import { makeDue, returnLeases, takeDue } from './take-due.ts';
import { dropPendingPages, rechoose } from './templates.ts';
import { putTool, removeTool } from './tools.ts';
import { addAnswerClick, addClickEvent, addQueryEvent } from './tracking.ts';
import { dropVisits, logDiscarded } from './visit-log.ts';
import { recordVisits } from './visits.ts';

/**
 * Every write, by name: synchronous functions that the write thread runs as one savepoint each. Input and result
 * are plain data (structured clone). A write is added by one line here.
 */
type Operations = Readonly<Record<string, (db: SqliteDatabase, input: never) => unknown>>;

export const systemOperations = {
  changeRecords,
  takeLease,
  noteTime,
  giveLease,
  rememberOnce,
  askBackup,
  startBackup,
  endBackup,
  forgetBackup,
  startEpoch,
  putTool,
  removeTool,
  addSynonymGroup,
  removeSynonymGroups,
  replaceSynonymGroup,
  addAnswerClick,
  addClickEvent,
  addQueryEvent,
  dropTracking,
  mergeFeedback,
  mergeRatedFeedback,
  takeConversation,
  freeConversation,
  addExchange,
  addTokens,
  dropConversations,
  addGoldenQuestion,
  removeGoldenQuestion,
  addGoldenResults,
  endGoldenRound,
  changeHolds,
  endHolds,
  dropHolds,
} as const satisfies Operations;

export const engineOperations = {
  putDocuments,
  patchDocuments,
  deleteDocuments,
  deleteMatching,
  deleteCrawlerDocuments,
  purgeDeleted,
  askIndexWork,
  endIndexWork,
  noteDamaged,
  startEpoch,
  addUrls,
  queueUrls,
  logDiscarded,
  takeLane,
  beatLane,
  withdrawLane,
  followClockJumps,
  freeLane,
  takeDue,
  returnLeases,
  makeDue,
  recordVisits,
  addSitemapEntries,
  addSitemaps,
  dropVisits,
  discardVoid,
  queueConfirmations,
  createRun,
  startRun,
  planRun,
  endRun,
  finishRun,
  failRun,
  cutRun,
  dropQueueRuns,
  pauseRuns,
  resumeRuns,
  stopRun,
  stopRuns,
  discardRun,
  correctOpen,
  ensureHost,
  leaseRobots,
  freeRobots,
  savePaces,
  saveRobots,
  changePattern,
  collapseDuplicates,
  noteProbe,
  noteNotFound,
  releaseHost,
  forgetRobots,
  askRemovals,
  applyRemovals,
  expireRemovals,
  rechoose,
  dropPendingPages,
  putVectors,
  completeVectors,
  dropOtherVectors,
} as const satisfies Operations;

export type SystemOperations = typeof systemOperations;
export type EngineOperations = typeof engineOperations;
