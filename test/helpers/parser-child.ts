import { readdirSync, readFileSync } from 'node:fs';

/** Pid of the parser child of a process, which has one. */
export function parserChildOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '),
  );
  const isParser = (child: string) =>
    child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('parser-child');
  const found = children.find(isParser);
  if (found === undefined) throw new Error('There is no parser child');
  return Number(found);
}
