import type { LinkText } from './link-texts.ts';

/** Kinds of a document; the position is the code that stores keep. */
export const DOCUMENT_KINDS = ['PageContent', 'FileContent'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Where a document came from; the position is the code that stores keep. */
export const DOCUMENT_ORIGINS = ['crawled', 'pushed'] as const;
export type DocumentOrigin = (typeof DOCUMENT_ORIGINS)[number];

/** Field name → values in order. Names and values are compared byte for byte and come back exactly as written. */
export type Fields = ReadonlyMap<string, readonly string[]>;

export type SectionHeading = { readonly level: number; readonly text: string; readonly anchor?: string };
export type SectionBlock = {
  readonly kind: 'paragraph' | 'list' | 'table' | 'code' | 'quote';
  readonly text: string;
};
export type Section = {
  readonly id: string;
  readonly headings: readonly SectionHeading[];
  readonly page?: number;
  /** False for text that a reader cannot see: searchable, never a source of an answer. */
  readonly grounding: boolean;
  readonly blocks: readonly SectionBlock[];
};

/** A place of a page that defines a name: `anchor` is the id of the element, '' when it has none; `text` what it shows, '' when that is much. */
export type Definition = { readonly anchor: string; readonly text: string };

/** What a page is for beside telling of its subject. */
export type PageKind = 'index' | 'source' | 'history';

/** What passages are cut from; stored with a document; a search returns titles and snippets of sections at most. */
export type Structure = {
  readonly version: 1;
  readonly sections: readonly Section[];
  readonly surroundings: string;
  /** Undefined = none. */
  readonly definitions?: readonly Definition[] | undefined;
  /** Undefined = an ordinary page, or a file. */
  readonly pageKind?: PageKind | undefined;
  /** How many of `sections` are in `Content`, which has no room for more: those behind are searched, too. Undefined = all. */
  readonly contentSections?: number | undefined;
  /** What of the page or file was not read, and why, a few words each. Undefined = nothing. */
  readonly cuts?: readonly string[] | undefined;
};

/** A document to be stored. */
export type NewDocument = {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly fields: Fields;
  readonly origin: DocumentOrigin;
  readonly language: string;
  readonly structure?: Structure | undefined;
  /** What else the page calls itself: its title when others have the same. Absent or `''`: nothing. */
  readonly headTitle?: string | undefined;
};

/** A partial update: absent `kind` and `language` are kept, an empty list of values removes the field. */
export type DocumentPatch = {
  readonly id: string;
  readonly kind?: DocumentKind | undefined;
  readonly language?: string | undefined;
  readonly fields: Fields;
};

/** A document's latest state. `fields` is empty and `structure` undefined when it is deleted or damaged. */
export type StoredDocument = {
  /** Row id: stable over replacement, never given to another document. */
  readonly rid: number;
  /** Number of the document's last change in its engine. */
  readonly seq: number;
  /** Last `seq` of the write that changed it; a generation of the index ends at such a border. */
  readonly writeSeq: number;
  readonly crawlerId: number;
  readonly id: string;
  readonly kind: DocumentKind;
  readonly origin: DocumentOrigin;
  readonly language: string;
  readonly deleted: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly fields: Fields;
  readonly structure: Structure | undefined;
  /** Most frequent first; undefined = none is known. */
  readonly linkTexts?: readonly LinkText[] | undefined;
  /** The row is not what was written: what it said is lost until it is written again. */
  readonly damaged?: true;
};

/** Text that is searched as that of `Content` is, which has no room for it: a heading where it begins. `''` for none. */
export function textBehindContent({ structure }: Pick<StoredDocument, 'structure'>): string {
  if (structure?.contentSections === undefined) return '';
  const lines: string[] = [];
  let heading: string | undefined;
  for (const { headings, blocks } of structure.sections.slice(structure.contentSections)) {
    const own = headings.at(-1)?.text;
    if (own !== undefined && own !== heading) lines.push(own);
    heading = own;
    for (const { text } of blocks) lines.push(text);
  }
  return lines.join('\n');
}

/** UTF-8 bytes of all values: the text of a document. Contract: 1.9. */
export function textBytes(fields: Fields): number {
  let bytes = 0;
  for (const values of fields.values()) {
    for (const value of values) bytes += Buffer.byteLength(value);
  }
  return bytes;
}

/** First value of a field, `''` when the document has none. */
export function firstValue(fields: Fields, name: string): string {
  return fields.get(name)?.[0] ?? '';
}
