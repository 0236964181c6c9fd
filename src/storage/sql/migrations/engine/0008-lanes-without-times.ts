/** Lanes are judged by the lock of their holder and by its beats. Nobody runs meanwhile: all are free. */
export const statements: readonly string[] = [
  'ALTER TABLE lanes RENAME COLUMN beat_at TO beats',
  'UPDATE lanes SET beats = 0, holder = NULL, fence = fence + 1',
];
