import type { DocumentKind, Fields, SectionBlock, Structure } from '../core/document.ts';

const EXTRACTION_STATUSES = [
  'ok',
  'empty',
  'needs-render',
  'encrypted',
  'malformed',
  'unsupported',
  'over-limit',
  'timed-out',
  'out-of-memory',
  'crashed',
] as const;
export type ExtractionStatus = (typeof EXTRACTION_STATUSES)[number];

/** Formats that the parser pool reads; each has its reader in `files/readers.ts`. */
export const FILE_KINDS = ['pdf', 'docx', 'pptx', 'xlsx', 'odt', 'ods', 'odp', 'epub', 'rtf', 'doc'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** Formats of plain text, read where they are decoded; each has its reader in `files/read-text-file.ts`. */
export const TEXT_KINDS = ['text', 'markdown', 'delimited', 'json'] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** Formats without a reader; each has its reason in `extract.ts`. */
export const UNREAD_KINDS = ['sitemap', 'feed', 'xls', 'ppt', 'xlsb', 'unsupported'] as const;
export type UnreadKind = (typeof UNREAD_KINDS)[number];

export type MediaKind = 'html' | 'xml' | 'encrypted-office' | FileKind | TextKind | UnreadKind;

/** What the response said about its body. */
export type SourceHeaders = {
  readonly contentType?: string | undefined;
  readonly contentLanguage?: string | undefined;
  readonly contentDisposition?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly robots?: string | undefined;
  readonly link?: string | undefined;
};

export type ExtractSettings = {
  /** Language of every page of the crawler; undefined = detected. */
  readonly language: string | undefined;
  readonly honourNofollow: boolean;
};

export const STOCK_EXTRACT_SETTINGS: ExtractSettings = { language: undefined, honourNofollow: true };

export type ExtractInput = {
  /** Final URL after redirects. */
  readonly url: string;
  readonly body: Uint8Array;
  /** `rendered`: a browser's tree with its marks of visibility; they count for nothing in what a site sends. */
  readonly source?: 'http' | 'rendered';
  readonly headers: SourceHeaders;
  readonly settings: ExtractSettings;
  /** Text of the best link to a file; its title when the file has none. */
  readonly linkText?: string | undefined;
  /** Epoch milliseconds; decides only whether a date lies in the future. */
  readonly now: number;
};

export type Directives = {
  readonly index: boolean;
  readonly follow: boolean;
  readonly snippet: boolean;
  /** Epoch milliseconds. */
  readonly unavailableAfter: number | undefined;
  /** Where they stand: `meta robots`, `meta fossick`, `header`. */
  readonly sources: readonly string[];
};

export type OutlinkPlace = 'content' | 'navigation' | 'meta';
export type Outlink = {
  readonly url: string;
  readonly text: string;
  readonly place: OutlinkPlace;
  readonly follow: boolean;
};

export type ExtractedLanguage = {
  /** ISO 639-1, lower case. */
  readonly code: string;
  readonly from: 'settings' | 'text' | 'declared';
};

/** What decided what; for people who ask why. */
export type ExtractionTrace = {
  readonly media: MediaKind;
  readonly charset: string;
  /** Field name → source (`og:title`, `h1`, `json-ld` …). */
  readonly sources: Readonly<Record<string, string>>;
  readonly hiddenChars: number;
  /** Limits that cut something, disagreements. */
  readonly notes: readonly string[];
};

export type Extraction = {
  readonly status: ExtractionStatus;
  /** One sentence for `status` other than `ok`, else `''`. */
  readonly reason: string;
  readonly kind: DocumentKind;
  /** `Url` and `Domain` are the crawler's. */
  readonly fields: Fields;
  readonly structure: Structure;
  readonly language: ExtractedLanguage | undefined;
  /** Absolute; reported, judged by the crawler. */
  readonly canonicalUrl: string | undefined;
  readonly alternates: readonly { readonly language: string; readonly url: string }[];
  readonly directives: Directives;
  readonly outlinks: readonly Outlink[];
  /** Feeds that the page names as its own; absolute. */
  readonly feeds: readonly string[];
  /** Target of a `meta refresh` of at most 5 s. */
  readonly refreshUrl: string | undefined;
  /** Why a browser would see more. */
  readonly renderWanted: string | undefined;
  /** The page has a field for a password. */
  readonly asksPassword: boolean;
  /** SHA-256 (hexadecimal) of fields and sections. */
  readonly contentHash: string;
  /** 64-bit simhash over 3-word shingles of `Content`, 16 hexadecimal digits. */
  readonly similarityHash: string;
  readonly trace: ExtractionTrace;
};

export type FileProperties = {
  readonly title?: string | undefined;
  /** First entry of the file's own table of contents. */
  readonly outline?: string | undefined;
  readonly author?: string | undefined;
  readonly subject?: string | undefined;
  readonly keywords?: string | undefined;
  /** Language tag as the file states it. */
  readonly language?: string | undefined;
  /** ISO 8601, as precise as the file states it. */
  readonly created?: string | undefined;
  readonly modified?: string | undefined;
};

/** A heading, or a block of text below the headings before it. */
export type FileBlock = {
  readonly kind: 'heading' | SectionBlock['kind'];
  /** Of a heading, 1 is the highest; 0 for every other block. */
  readonly level: number;
  /** Never blank. Lines of lists, tables and code are separated by a line feed. */
  readonly text: string;
  /** Number of the page or slide, from 1. */
  readonly page?: number;
  /** False for text that a reader of the file does not see. */
  readonly grounding: boolean;
};

/** What a parser read, in the order of the file. */
export type FileExtraction = {
  readonly status: ExtractionStatus;
  readonly reason: string;
  readonly properties: FileProperties;
  readonly blocks: readonly FileBlock[];
  /** Undefined for formats without pages. */
  readonly pageCount: number | undefined;
  /** As they stand in the file. */
  readonly links: readonly { readonly url: string; readonly text: string }[];
  /** Limits that cut something, faults that were passed over. */
  readonly notes: readonly string[];
};

/** Reads a file outside of this process; never rejects but by the signal. */
export type ParseFile = (bytes: Uint8Array, kind: FileKind, signal: AbortSignal) => Promise<FileExtraction>;
