/** Kinds of documents as they are shown. */
export const KINDS = { PageContent: 'Page', FileContent: 'File' } as const;
