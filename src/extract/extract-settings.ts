import { type CompiledFieldRule, compileFieldRule, type FieldRule } from './html/field-rule.ts';
import {
  compileIndexDirectives,
  DEFAULT_INDEX_DIRECTIVES,
  type DirectiveSettings,
  type IndexDirectives,
} from './html/index-directives.ts';
import { type CompiledSelectors, compileSelectors } from './html/selectors.ts';

export const CONTENT_PROFILES = ['precision', 'balanced', 'recall'] as const;
/** What counts more where the main text is chosen: nothing wrong in it, or nothing missing. */
export type ContentProfile = (typeof CONTENT_PROFILES)[number];

/** What an operator says about the content of pages. */
export type ContentSettings = {
  readonly profile: ContentProfile;
  /** CSS selectors: main text whatever the model says. */
  readonly include: readonly string[];
  /** CSS selectors: never text of the document. */
  readonly exclude: readonly string[];
  readonly marks: DirectiveSettings;
  readonly fields: readonly FieldRule[];
  /** Folders of the URL are the category of a page that names none. */
  readonly categoryFromPath: boolean;
  readonly index: {
    /** Is hidden text that was not chosen searchable, with low weight? */
    readonly hidden: boolean;
  };
  /** Settings for URLs, in place of those above; the first that matches counts. */
  readonly pages: readonly ContentOfPages[];
};

export type ContentOfPages = {
  /** A rule for URLs like those of the scope. */
  readonly match: string;
} & { readonly [Name in Exclude<keyof ContentSettings, 'pages'>]?: ContentSettings[Name] | undefined };

/** The settings of one page, compiled. */
export type PageRules = {
  readonly profile: ContentProfile;
  readonly include: CompiledSelectors | undefined;
  readonly exclude: CompiledSelectors | undefined;
  readonly marks: IndexDirectives;
  readonly fields: readonly CompiledFieldRule[];
  readonly categoryFromPath: boolean;
  readonly searchesHidden: boolean;
};

/** The rules of a page by its URL. */
export type ContentRules = (url: string) => PageRules;

export const DEFAULT_PAGE_RULES: PageRules = {
  profile: 'balanced',
  include: undefined,
  exclude: undefined,
  marks: DEFAULT_INDEX_DIRECTIVES,
  fields: [],
  categoryFromPath: false,
  searchesHidden: true,
};

export const DEFAULT_CONTENT_RULES: ContentRules = () => DEFAULT_PAGE_RULES;

/** Tells whether a URL matches a rule; the syntax of such rules is the crawler's. */
export type CompileUrlRule = (rule: string) => (url: string) => boolean;

/**
 * Compiles settings once for all pages of a crawler.
 * @throws Error for what the schema of the settings refuses: a wrong selector, expression, path or rule
 */
export function compileContent(settings: ContentSettings, compileUrlRule: CompileUrlRule): ContentRules {
  const { pages, ...everywhere } = settings;
  const fieldsOf = (fields: readonly FieldRule[], path: string) =>
    fields.map((rule, index) => compileFieldRule(rule, { path: `${path}[${index}]`, compileUrlRule }));
  const rules = compilePageRules(everywhere, fieldsOf(everywhere.fields, 'content.fields'));
  const ofPages = pages.map(({ match, ...own }, index) => ({
    matches: compileUrlRule(match),
    rules: compilePageRules(
      { ...everywhere, ...given(own) },
      own.fields === undefined ? rules.fields : fieldsOf(own.fields, `content.pages[${index}].fields`),
    ),
  }));
  if (ofPages.length === 0) return () => rules;
  return (url) => ofPages.find(({ matches }) => matches(url))?.rules ?? rules;
}

/** Lower-case names of the headers that rules for fields read, in order and once. */
export function namedHeaders({ fields, pages }: ContentSettings): readonly string[] {
  const rules = [...fields, ...pages.flatMap((page) => page.fields ?? [])];
  const names = rules.flatMap(({ header }) => (header === undefined ? [] : [header.toLowerCase()]));
  return [...new Set(names)].sort();
}

function compilePageRules(settings: Omit<ContentSettings, 'pages'>, fields: readonly CompiledFieldRule[]): PageRules {
  const { profile, include, exclude, marks, categoryFromPath, index } = settings;
  return {
    profile,
    include: include.length === 0 ? undefined : compileSelectors(include),
    exclude: exclude.length === 0 ? undefined : compileSelectors(exclude),
    marks: compileIndexDirectives(marks),
    fields,
    categoryFromPath,
    searchesHidden: index.hidden,
  };
}

/** Without the members that are not set. */
function given<T extends object>(members: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>;
  };
}
