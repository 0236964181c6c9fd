import type { DocumentKind, Fields, SectionBlock, Structure } from '../core/document.ts';
import { type ContentRules, DEFAULT_CONTENT_RULES } from './extract-settings.ts';
import type { FileKind, TextKind, UnreadKind } from './formats.ts';
import type { BlockDocumentFrequency } from './html/template-blocks.ts';

export const EXTRACTION_STATUSES = [
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

export type MediaKind = 'html' | 'xml' | 'encrypted-office' | FileKind | TextKind | UnreadKind;

/** What the response said about its body. */
export type SourceHeaders = {
  readonly contentType?: string | undefined;
  readonly contentLanguage?: string | undefined;
  readonly contentDisposition?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly robots?: string | undefined;
  readonly link?: string | undefined;
  /** Those that rules for fields name (`ExtractSettings.headers`), by lower-case name. */
  readonly named?: Readonly<Record<string, string>> | undefined;
};

export type ExtractSettings = {
  /** Language of every page of the crawler; undefined = detected. */
  readonly language: string | undefined;
  readonly honourNofollow: boolean;
  readonly content: ContentRules;
  /** Lower-case names of headers that rules for fields read. */
  readonly headers: readonly string[];
};

export const DEFAULT_EXTRACT_SETTINGS: ExtractSettings = {
  language: undefined,
  honourNofollow: true,
  content: DEFAULT_CONTENT_RULES,
  headers: [],
};

export type ExtractInput = {
  /** Final URL after redirects. */
  readonly url: string;
  readonly body: Uint8Array;
  /** `rendered`: a browser's tree with its marks of visibility; they count for nothing in what a site sends. */
  readonly source?: 'http' | 'rendered';
  readonly headers: SourceHeaders;
  readonly settings: ExtractSettings;
  /** What the other known pages of the host say of a block; absent = nothing. */
  readonly templateShare?: BlockDocumentFrequency | undefined;
  /** What those of the smallest known folder of the page say. */
  readonly folderShare?: BlockDocumentFrequency | undefined;
  /** How many pages of the host are known beside this one, when they are enough to judge by; absent = none. */
  readonly knownPages?: number | undefined;
  /** Text of the best link to a file; its title when the file has none. */
  readonly linkText?: string | undefined;
  /** Epoch milliseconds; decides only whether a date lies in the future. */
  readonly now: number;
  /** Asks for `blocks` and `rules` in the trace, which cost time and memory. */
  readonly explain?: boolean;
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

export type LinkRegion = 'content' | 'navigation' | 'meta';
export type Outlink = {
  readonly url: string;
  readonly text: string;
  /** What its links in the content say, each text once: how the page calls what it links to. */
  readonly texts: readonly string[];
  readonly region: LinkRegion;
  readonly follow: boolean;
};

export type ExtractedLanguage = {
  /** ISO 639-1, lower case. */
  readonly code: string;
  /** 0 to 1: how often such an answer is right. */
  readonly confidence: number;
  readonly from: 'settings' | 'text' | 'declared' | 'script';
  /** Of Chinese: simplified or traditional. */
  readonly written?: 'Hans' | 'Hant';
};

/** What became of one block of a page. */
export type ExplainedBlock = {
  /** At most 120 characters. */
  readonly text: string;
  readonly kind: string;
  /** Probability that it is main text, where a model was asked. */
  readonly probability: number | undefined;
  /** Share of the site's other known pages that hold it, which lowers the probability; 0 while few are known. */
  readonly share: number;
  /** What the operator or a mark of the page says of it. */
  readonly rule: 'include' | 'exclude' | undefined;
  readonly chosen: boolean;
  /** A few words. */
  readonly why: string;
};

/** What a rule for a field did. */
export type RuledField = {
  /** `content.fields[2]` */
  readonly path: string;
  readonly name: string;
  /** What its source gave. */
  readonly raw: readonly string[];
  readonly values: readonly string[];
  /** Values that were not of the wanted form. */
  readonly dropped: number;
  /** `kept`: the field had its value already · `not-meant`: `when` excludes the page. */
  readonly outcome: 'used' | 'no-value' | 'kept' | 'not-meant';
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
  /** Every block of the page in order, when the input asks to explain. */
  readonly blocks?: readonly ExplainedBlock[];
  /** What each rule for a field did, when the input asks to explain. */
  readonly rules?: readonly RuledField[];
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
  /** What of the page or file was not read, and why: `truncated at page 12 of 500 (timed-out)`. */
  readonly cuts: readonly string[];
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
  /** What tells that the page only keeps robots out (`robotWallOf`); undefined of every other. */
  readonly robotWall: string | undefined;
  /** Hashes of the page's blocks, and of its titles, headings, crumbs and images, for what is known of its host; of a file none. */
  readonly templateBlocks: readonly string[];
  /** What more pages of the site are called would not change its title. */
  readonly isTitleSettled: boolean;
  /** What the head of the page calls it in place of its `Title`, should that turn out to be others', too; `''`: nothing else. */
  readonly headTitle: string;
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
  /** What of the file was not read, and why: `truncated at page 12 of 500 (timed-out)`. */
  readonly cuts: readonly string[];
  /** Pages whose text was read from their picture. */
  readonly recognizedPages?: number | undefined;
};

/** Reads a file outside of this process; never rejects but by the signal. */
export type ParseFile = (bytes: Uint8Array, kind: FileKind, signal: AbortSignal) => Promise<FileExtraction>;
