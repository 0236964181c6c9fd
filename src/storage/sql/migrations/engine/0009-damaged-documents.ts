/** Rows of documents that were found damaged, until they are written again or deleted. */
export const statements: readonly string[] = ['CREATE TABLE damaged_documents (rid INTEGER PRIMARY KEY) STRICT'];
