declare module 'word-extractor/lib/word-ole-extractor.js' {
  import type { Readable } from 'node:stream';

  type TextOptions = { readonly filterUnicode?: boolean };
  class Document {
    getBody(options?: TextOptions): string;
    getFootnotes(options?: TextOptions): string;
    getEndnotes(options?: TextOptions): string;
    getTextboxes(options?: TextOptions & { readonly includeHeadersAndFooters?: boolean }): string;
  }
  class WordOleExtractor {
    /** `content` is the stream `WordDocument`; `stream` gives the others by their names. */
    extractWordDocument(streams: { readonly stream: (name: string) => Readable }, content: Buffer): Promise<Document>;
  }
  export = WordOleExtractor;
}
