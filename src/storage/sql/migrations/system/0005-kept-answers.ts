/** How many answers of a day were given as before. Counts begin with this version. */
export const statements: readonly string[] = ['ALTER TABLE answer_days ADD COLUMN cached INTEGER NOT NULL DEFAULT 0'];
