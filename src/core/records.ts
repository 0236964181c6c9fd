/** Operator records of contract 1.10, as services and stores hand them around. */

import type { InterfaceLanguage } from './interface-languages.ts';
import type { PageTheme } from './page-theme.ts';

export type Customer = {
  readonly id: number;
  readonly name: string;
  /** Name of the provision file that owns the record; undefined = made through the admin API. */
  readonly managedBy: string | undefined;
  readonly createdAt: number;
};

/** What somebody may do through the admin API, least first: see statistics · keep the search of customers · all. */
export const ROLES = ['reader', 'editor', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** Somebody who signs in. */
export type Person = {
  readonly id: number;
  /** In lower case; stays with the person. */
  readonly email: string;
  readonly name: string | undefined;
  readonly role: Role;
  /** Those of an editor or reader; an operator has none, and sees all. */
  readonly customers: readonly number[];
  readonly hasPassword: boolean;
  readonly disabledAt: number | undefined;
  readonly managedBy: string | undefined;
  readonly createdAt: number;
  readonly lastSignInAt: number | undefined;
};

/**
 * What a key opens of the public API; a key that names `tools` or `statistics` also opens the admin API, as editor or
 * reader of its customer.
 */
export const KEY_SCOPES = ['search', 'documents', 'urls', 'tools', 'statistics'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export type ApiKey = {
  readonly id: number;
  readonly customerId: number;
  readonly name: string;
  /** Last four characters of the key, to tell keys apart in lists. */
  readonly last4: string;
  readonly managedBy: string | undefined;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** Undefined: the whole public API. */
  readonly scopes: readonly KeyScope[] | undefined;
  /** Days since 1970, in UTC. */
  readonly lastUsedDay: number | undefined;
};

export const FACET_ORDERS = ['DocCount', 'DocScore', 'Alphabetically'] as const;
export const FACET_DIRECTIONS = ['Desc', 'Asc'] as const;
export const FACET_OPERATORS = ['Or', 'And'] as const;

export type FacetConfig = {
  readonly name: string;
  readonly field: string;
  readonly orderBy: (typeof FACET_ORDERS)[number];
  readonly direction: (typeof FACET_DIRECTIONS)[number];
  readonly size: number;
  readonly includeEmpty: boolean;
  readonly operator: (typeof FACET_OPERATORS)[number];
  readonly facets: readonly FacetConfig[];
};

export type HighlightSettings = {
  readonly preTag: string;
  readonly postTag: string;
  readonly fragmentSize: number;
  readonly numberOfFragments: number;
  readonly noMatchSize: number;
};

/**
 * New documents before old ones that fit as well: a bonus of `weight` times what the words of the query weigh in all,
 * halved with every half-life that the latest past date of the field is old.
 */
export type RecencySettings = { readonly field: string; readonly halfLifeDays: number; readonly weight: number };

/** The search page of an engine that the product serves. */
export type HostedPage = {
  readonly published: boolean;
  /** The page is at `/s/<path>`; undefined = made of the engine's name. */
  readonly path?: string | undefined;
  /** Host names at which `/` is this page, in ASCII and lower case. */
  readonly hosts: readonly string[];
  /** Of the interface; undefined = the engine's. */
  readonly language?: InterfaceLanguage | undefined;
  /** The language of the visitor's browser comes first where the interface has it. */
  readonly visitorLanguage: boolean;
  /** In place of the engine's name. */
  readonly title?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly hint?: string | undefined;
  readonly theme: PageTheme;
};

/** Settings of contract 1.10 that live in `engines.settings`. */
export type EngineSettings = {
  readonly aiEnabled: boolean;
  readonly features: readonly string[];
  readonly perPage: number;
  readonly operator: 'OR' | 'AND';
  /** Results below which a search under OR drops words; undefined = any word is enough. */
  readonly dropWordsBelow?: number | undefined;
  readonly facets: readonly FacetConfig[];
  readonly highlight: HighlightSettings;
  readonly autocompleteMode: 'suggestions' | 'titles';
  readonly fieldMode: 'auto' | 'strict';
  readonly enabledFields: readonly string[];
  readonly hybridSearch: boolean;
  /** Share of the query's idf, 0 to 1, that the best hit must cover; undefined = tuned by the engine. */
  readonly aiMinScore?: number | undefined;
  /** Instructions of the operator to the language model; undefined = none. */
  readonly aiInstructions?: string | undefined;
  /** `customPrompt` of callers with an API key counts as the operator's own words. */
  readonly trustedCustomPrompt: boolean;
  /** Links of answers lead to the passage in its page. */
  readonly citationFragments: boolean;
  /** Answerability, 0 to 1, from which on a question is answered; undefined = that of its language. */
  readonly answerThreshold?: number | undefined;
  /** Undefined = the age of a document has no part in its score. */
  readonly recency?: RecencySettings | undefined;
  readonly corsOrigins: readonly string[];
  readonly rawBannerHtml: boolean;
  /** Undefined = not published, with the product's own looks. */
  readonly page?: HostedPage | undefined;
};

/** Members of contract 7 that an operator sets per engine. */
export type PublicSettings = {
  readonly enableGoogleAnalyticsIntegration: boolean;
  readonly enableSiteimproveAnalyticsIntegration: boolean;
  readonly optOutCookieTracking: boolean;
  readonly enableAnonymousTracking: boolean;
  readonly customEngineSettings: Readonly<Record<string, unknown>>;
  readonly configurations: Readonly<Record<string, unknown>>;
  readonly subscriptionFeatures: readonly string[];
  readonly quotas: Readonly<Record<string, number>>;
  readonly instantSuggestions: {
    readonly suggestions: readonly string[];
    readonly limit: number;
    readonly showRecentSearches: boolean;
  };
};

export type Engine = {
  readonly id: number;
  readonly customerId: number;
  readonly name: string;
  /** Default answer and analysis language, ISO 639-1. */
  readonly language: string;
  readonly settings: EngineSettings;
  readonly publicSettings: PublicSettings;
  /** Name of the provision file that owns the record; undefined = made through the admin API. */
  readonly managedBy: string | undefined;
  readonly createdAt: number;
};

/** A crawler with its unparsed settings: `config` is checked by `crawl/rules/settings.ts` (crawling settings, JSON). */
export type Crawler = {
  readonly id: number;
  readonly customerId: number;
  readonly engineId: number;
  readonly name: string;
  readonly active: boolean;
  readonly activeSince: number | undefined;
  /** Grows by one at each activation and deactivation; frontier rows of an older one are void. */
  readonly activation: number;
  readonly config: Readonly<Record<string, unknown>>;
  readonly configVersion: number;
  readonly managedBy: string | undefined;
  readonly createdAt: number;
};
