import { compareCodePoints } from '../../../core/compare-text.ts';
import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { RESIDENCY, SECTION, type Section, type SectionData } from '../segment/sections.ts';
import { FrontCodingWriter } from '../term-dictionary/front-coding-writer.ts';
import { narrowest } from './column-writers.ts';

/** What a segment keeps of a document beside its text. */
export type DocumentIdentity = {
  readonly rid: number;
  readonly id: string;
  /** Crawler number of the engine. */
  readonly crawler: number;
  readonly language: number;
  readonly kind: number;
  readonly norm: number;
  readonly bodyLength: number;
};

/** Collects the identity columns of a segment (search-engine design 7.6), documents in order of arrival. */
export class IdentityWriter {
  readonly norms = new GrowableU8();
  private readonly ids: string[] = [];
  private readonly rids = new GrowableU32();
  private readonly crawlers = new GrowableU32();
  private readonly languages = new GrowableU8();
  private readonly kinds = new GrowableU8();
  private readonly bodyLengths = new GrowableU32();

  get count(): number {
    return this.ids.length;
  }

  get bodyTokens(): number {
    return this.bodyLengths.view().reduce((sum, length) => sum + length, 0);
  }

  add(document: DocumentIdentity): void {
    this.ids.push(document.id);
    this.rids.push(document.rid);
    this.crawlers.push(document.crawler);
    this.languages.push(document.language);
    this.kinds.push(document.kind);
    this.norms.push(document.norm);
    this.bodyLengths.push(document.bodyLength);
  }

  /** Row and body length per document, which the writer keeps in memory. */
  writerColumns(): { rids: Uint32Array; bodyLengths: Uint32Array } {
    return { rids: this.rids.view().slice(), bodyLengths: this.bodyLengths.view().slice() };
  }

  languageOf(document: number): number {
    return this.languages.array[document]!;
  }

  documentsByLanguage(codeOf: (language: number) => string): ReadonlyMap<string, number> {
    const documents = new Map<string, number>();
    for (const language of this.languages.view()) {
      documents.set(codeOf(language), 1 + (documents.get(codeOf(language)) ?? 0));
    }
    return documents;
  }

  /** `crawlerIds` by crawler number: documents of one id are ordered by crawler id. */
  sections(crawlerIds: readonly number[]): Section[] {
    const crawlers = this.crawlers.view();
    const order = Uint32Array.from(this.ids.keys()).sort(
      (a, b) =>
        compareCodePoints(this.ids[a]!, this.ids[b]!) || crawlerIds[crawlers[a]!]! - crawlerIds[crawlers[b]!]! || a - b,
    );
    const coding = new FrontCodingWriter();
    for (const document of order) coding.push(this.ids[document]!);
    const coded = coding.finish();
    const lengths = this.bodyLengths.view();
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    return [
      engineSection(SECTION.norm, this.norms.view()),
      engineSection(SECTION.language, this.languages.view()),
      engineSection(SECTION.crawler, Uint16Array.from(crawlers)),
      engineSection(SECTION.kind, this.kinds.view()),
      engineSection(SECTION.rid, this.rids.view()),
      engineSection(SECTION.idBytes, coded.bytes),
      engineSection(SECTION.idBlocks, coded.blocks),
      engineSection(SECTION.idOrder, order),
      { ...engineSection(SECTION.bodyLength, narrowest(lengths, longest + 1)), residency: RESIDENCY.file },
    ];
  }
}

function engineSection(kind: number, data: SectionData): Section {
  return { kind, subject: 0, part: 0, residency: RESIDENCY.engine, data };
}
