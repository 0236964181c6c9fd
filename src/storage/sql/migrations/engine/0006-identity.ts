/**
 * Who the store is, and a random mark for each write of documents, by which an index proves that it was made of it.
 * The write before this version gets one, too.
 */
export const statements: readonly string[] = [
  "INSERT INTO meta (name, value) VALUES ('store_id', lower(hex(randomblob(16)))), ('epoch', lower(hex(randomblob(16))))",
  'CREATE TABLE write_marks (seq INTEGER PRIMARY KEY, mark INTEGER NOT NULL) STRICT',
  `INSERT INTO write_marks (seq, mark)
    SELECT CAST(value AS INTEGER), random() & 9007199254740991 FROM meta WHERE name = 'last_seq' AND value <> '0'`,
];
