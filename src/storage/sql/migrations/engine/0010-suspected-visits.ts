/** Visits of a run that met a page which may be gone; runs that ended before count none. */
export const statements: readonly string[] = ['ALTER TABLE runs ADD COLUMN suspected INTEGER NOT NULL DEFAULT 0'];
