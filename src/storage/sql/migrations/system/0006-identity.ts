/** Who the store is. */
export const statements: readonly string[] = [
  "INSERT INTO meta (name, value) VALUES ('store_id', lower(hex(randomblob(16)))), ('epoch', lower(hex(randomblob(16))))",
];
