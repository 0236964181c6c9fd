import type { StoreIdentity } from '../core/store-identity.ts';
import type { AccountStore } from './system/accounts.ts';
import type { AlertTargetStore } from './system/alert-targets.ts';
import type { ContentGapStore } from './system/content-gaps.ts';
import type { ConversationStore } from './system/conversations.ts';
import type { GoldenQuestionStore } from './system/golden-questions.ts';
import type { HostHoldStore } from './system/host-holds.ts';
import type { BackupStore, ClockStore, LeaseStore } from './system/installation.ts';
import type { PeopleStore } from './system/people.ts';
import type { PopularQueryStore } from './system/popular-queries.ts';
import type { StatisticsStore } from './system/statistics.ts';
import type { SynonymStore } from './system/synonym-groups.ts';
import type { ToolStore } from './system/tools.ts';
import type { TrackingStore } from './system/tracking.ts';
import type { VisitorReportStore } from './system/visitor-reports.ts';

/**
 * Port: accounts, settings, alert targets, tools, tracking, conversations, golden questions, people, holds of hosts and leases of an
 * installation. System of record. Promises of every part:
 * - a write resolves after its commit is on disk, and is all or nothing; concurrent writes are serialised;
 * - `changeToken` differs from an earlier one whenever another connection has committed since, at once or as soon as the
 *   adapter says (docs/scaling.md);
 * - a full disk is `storage.full`: nothing is written, reads go on, writes work again when there is room.
 */
export interface SystemStore
  extends AccountStore,
    AlertTargetStore,
    LeaseStore,
    BackupStore,
    ClockStore,
    ToolStore,
    SynonymStore,
    TrackingStore,
    PopularQueryStore,
    StatisticsStore,
    VisitorReportStore,
    ConversationStore,
    ContentGapStore,
    GoldenQuestionStore,
    HostHoldStore,
    PeopleStore,
    AsyncDisposable {
  identity(): Promise<StoreIdentity>;
  /** Gives the store a new epoch: whatever was made of it before does not belong to it any more. */
  startEpoch(): Promise<StoreIdentity>;
  /** Grows with every commit that is visible here; for snapshots that are dropped when it changes. */
  changeToken(): number;
  /** The value stored under a name of `meta`, made and stored once when there is none. */
  rememberOnce(name: string, make: () => string): Promise<string>;
}
