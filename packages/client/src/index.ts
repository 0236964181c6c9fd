export {
  type Answer,
  type AnswerClient,
  type AnswerStream,
  createAnswerClient,
  type Summary,
  type SummaryStream,
} from './answer-client.ts';
export {
  type ChangeOptions,
  createDocumentClient,
  type DocumentClient,
  type ManagementConnection,
  type WriteOptions,
} from './document-client.ts';
export { FossickError } from './fossick-error.ts';
export type {
  AnswerClick,
  AnswerFeedback,
  AnswerRequest,
  AutocompleteHtmlResponse,
  AutocompleteResponse,
  Banner,
  BannerRequest,
  BulkDeleteRequest,
  ClickEvent,
  Condition,
  DeleteResponse,
  DocumentRow,
  DocumentsRequest,
  Facet,
  Facets,
  Filters,
  Hit,
  PageSettings,
  PublicSettings,
  QueryEvent,
  QueuedUrl,
  Quicklink,
  QuicklinkRequest,
  Ranking,
  RankingRequest,
  ResultFeedback,
  SearchHtmlResponse,
  SearchResponse,
  StoredEvent,
  SummaryFeedback,
  SummaryRequest,
  SynonymGroup,
  SynonymGroupChange,
  SynonymGroupRequest,
} from './generated-types.ts';
export { tellRefusedOrigin } from './refused-origin.ts';
export {
  type AutocompleteQuery,
  createSearchClient,
  type SearchClient,
  type SearchQuery,
} from './search-client.ts';
export {
  createSearchToolClient,
  type RecordClient,
  type RemovedGroups,
  type SearchToolClient,
} from './search-tool-client.ts';
export type { TextStream } from './text-stream.ts';
export { createTrackedSearch, type TrackedSearch } from './tracked-search.ts';
export {
  type Completed,
  type CompletedDocument,
  createEventClient,
  createTrackingClient,
  type EventClient,
  type Followed,
  type ShownBanner,
  type ShownQuicklink,
  type TrackingClient,
} from './tracking-client.ts';
export type { CallOptions, Connection, EngineConnection } from './transport.ts';
