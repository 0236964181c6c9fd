declare module 'word-extractor' {
  type TextOptions = { readonly filterUnicode?: boolean };
  class Document {
    getBody(options?: TextOptions): string;
    getFootnotes(options?: TextOptions): string;
    getEndnotes(options?: TextOptions): string;
    getTextboxes(options?: TextOptions & { readonly includeHeadersAndFooters?: boolean }): string;
  }
  class WordExtractor {
    extract(source: Buffer): Promise<Document>;
  }
  export = WordExtractor;
}
