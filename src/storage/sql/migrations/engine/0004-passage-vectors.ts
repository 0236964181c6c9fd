/** Vectors of passages, one row per document and set; a row that is written again takes a new number. */
export const statements: readonly string[] = [
  `CREATE TABLE passage_vectors (
    change INTEGER PRIMARY KEY AUTOINCREMENT, vector_set TEXT NOT NULL, rid INTEGER NOT NULL, seq INTEGER NOT NULL,
    frame BLOB NOT NULL, dimensions INTEGER NOT NULL, hashes BLOB NOT NULL, vectors BLOB NOT NULL,
    UNIQUE (vector_set, rid)) STRICT`,
  'CREATE INDEX passage_vectors_rid ON passage_vectors (rid)',
];
