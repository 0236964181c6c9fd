import { AppError } from '../../../core/errors.ts';
import type { Session } from '../connections.ts';

/** The table is there as long as an installation is being moved to the database; nothing else may open the stores then. */
export const MOVE_TABLE = 'fossick.move';

export async function isMoveUnfinished(session: Session): Promise<boolean> {
  const found = await session.script("SELECT 1 FROM pg_tables WHERE schemaname = 'fossick' AND tablename = 'move'");
  return found.at(-1)?.rowCount === 1;
}

/** @throws AppError `request.invalid` that says how to go on when a move to the database was ended in its middle */
export async function requireFinishedMove(session: Session): Promise<void> {
  if (!(await isMoveUnfinished(session))) return;
  const message =
    'An installation is being moved to this database (DATABASE_URL), or that was broken off: run it to its end with fossick move --to, or begin with an empty database';
  throw new AppError('request.invalid', message);
}
