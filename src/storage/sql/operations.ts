import { noteDamaged } from './engine/document-store.ts';
import {
  askIndexWork,
  deleteCrawlerDocuments,
  deleteDocuments,
  deleteMatching,
  endIndexWork,
  patchDocuments,
  purgeDeleted,
  putDocuments,
} from './engine/documents.ts';
import { collapseDuplicates } from './engine/duplicate-records.ts';
import { addUrls, discardVoid, queueConfirmations, queueUrls } from './engine/frontier.ts';
import { forgetRobots, noteNotFound, releaseHost } from './engine/host-content.ts';
import { ensureHost, freeRobots, leaseRobots, noteProbe, savePaces, saveRobots } from './engine/hosts.ts';
import { beatLane, freeLane, takeLane, withdrawLane } from './engine/lanes.ts';
import { completeVectors, dropOtherVectors, putVectors } from './engine/passage-vectors.ts';
import { changePattern } from './engine/patterns.ts';
import { applyRemovals, askRemovals, expireRemovals } from './engine/removals.ts';
import { correctOpen, cutRun, discardRun, pauseRuns, resumeRuns, stopRun } from './engine/run-control.ts';
import { planRun } from './engine/run-plan.ts';
import { createRun, dropQueueRuns, endRun, failRun, finishRun, startRun, stopRuns } from './engine/runs.ts';
import { addSitemapEntries, addSitemaps } from './engine/sitemaps.ts';
import { makeDue, returnLeases, takeDue } from './engine/take-due.ts';
import { dropPendingPages, rechoose } from './engine/templates.ts';
import { dropVisits, logDiscarded } from './engine/visit-log.ts';
import { recordVisits } from './engine/visits.ts';
import { rememberOnce, startEpoch } from './meta.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { changeRecords } from './system/change-records.ts';
import {
  addExchange,
  addTokens,
  dropConversations,
  freeConversation,
  takeConversation,
} from './system/conversations.ts';
import { dropTracking } from './system/drop-tracking.ts';
import {
  addGoldenQuestion,
  addGoldenResults,
  endGoldenRound,
  removeGoldenQuestion,
} from './system/golden-questions.ts';
import { changeHolds, dropHolds, endHolds } from './system/host-holds.ts';
import {
  askBackup,
  endBackup,
  followClockJumps,
  forgetBackup,
  giveLease,
  noteTime,
  startBackup,
  takeLease,
} from './system/installation.ts';
import { addSynonymGroup, putTool, removeSynonymGroups, removeTool, replaceSynonymGroup } from './system/tools.ts';
import { addAnswerClick, addClickEvent, addQueryEvent, mergeFeedback, mergeRatedFeedback } from './system/tracking.ts';

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
