import type { ReportedFinding } from '../core/alert-target.ts';
import type { OutgoingMessage } from '../delivery/deliver.ts';

/** Of every message. */
type Head = {
  readonly id: string;
  readonly at: number;
  /** How to tell this installation from others: its public address. */
  readonly installation: string;
};

export type FindingChanges = {
  readonly begun: readonly ReportedFinding[];
  readonly ended: readonly ReportedFinding[];
  /** Findings for this receiver that hold now, also those told before. */
  readonly open: number;
};

/** What happened on the last whole day (UTC), and what holds now. */
export type DigestFacts = {
  readonly findings: readonly ReportedFinding[];
  /** `2026-01-31` */
  readonly day: string;
  readonly searches: number;
  readonly withoutResults: number;
  /** Searches without results, the most frequent first. */
  readonly missed: readonly { readonly engine: string; readonly query: string; readonly count: number }[];
  readonly crawls: readonly {
    readonly crawler: string;
    /** When its last run that was good ended; undefined: there was none. */
    readonly goodAt: number | undefined;
  }[];
};

const TEXT_FINDINGS = 100;

/** What begins and what is over. */
export function changesMessage(head: Head, { begun, ended, open }: FindingChanges): OutgoingMessage {
  const isAllWell = open === 0 && ended.length > 0;
  const lines = [
    ...begun.map(lineOf),
    ...ended.map(({ sentence }) => `OVER: ${sentence}`),
    ...(isAllWell ? ['All is well again'] : []),
  ];
  const shown = { begun: begun.map(shownFinding), ended: ended.map(shownFinding), open };
  const subject = isAllWell && begun.length === 0 ? 'All is well again' : subjectOf(lines);
  return messageOf(head, { kind: 'changes', subject, lines, shown });
}

/** The summary of a day; sent on good days, too, so that its absence says something. */
export function digestMessage(head: Head, facts: DigestFacts): OutgoingMessage {
  const { findings, day, searches, withoutResults, missed, crawls } = facts;
  const isAllWell = findings.length === 0;
  const lines = [
    ...(isAllWell ? ['All is well'] : findings.slice(0, TEXT_FINDINGS).map(lineOf)),
    '',
    `Searches on ${day} (UTC): ${searches}, without results: ${withoutResults}`,
    ...missed.map(({ engine, query, count }) => `  ${count} × ${query} (${engine})`),
    '',
    'Last good crawls:',
    ...crawls.map(({ crawler, goodAt }) => `  ${crawler}: ${goodAt === undefined ? 'none yet' : timeOf(goodAt)}`),
  ];
  const subject = isAllWell ? `All is well, ${day}` : `${findings.length} open, ${day}`;
  const shown = {
    open: findings.length,
    findings: findings.map(shownFinding),
    searches: { day, total: searches, withoutResults, missed },
    crawls: crawls.map(({ crawler, goodAt }) => ({ crawler, goodAt: goodAt === undefined ? null : timeOf(goodAt) })),
  };
  return messageOf(head, { kind: 'digest', subject, lines, shown });
}

/** What the test button sends. */
export function testMessage(head: Head): OutgoingMessage {
  const lines = ['This is a test: alerts of this installation come here'];
  return messageOf(head, { kind: 'test', subject: 'Test', lines, shown: {} });
}

type Body = {
  readonly kind: 'changes' | 'digest' | 'test';
  readonly subject: string;
  readonly lines: readonly string[];
  readonly shown: object;
};

/** `text` is what chat services show of the content. */
function messageOf({ id, at, installation }: Head, { kind, subject, lines, shown }: Body): OutgoingMessage {
  const text = [`Fossick at ${installation}`, ...lines].join('\n');
  const content = { id, kind, at: timeOf(at), installation, text, ...shown };
  return { id, subject: `[Fossick ${nameOf(installation)}] ${subject}`, text, content };
}

const SUBJECT_CHARS = 100;

function subjectOf([first = '', ...others]: readonly string[]): string {
  const [sentence = ''] = first.split('. To mend it: ');
  const short = sentence.length <= SUBJECT_CHARS ? sentence : `${sentence.slice(0, SUBJECT_CHARS - 1)}…`;
  return others.length === 0 ? short : `${short} (and ${others.length} more)`;
}

function lineOf({ severity, sentence, command }: ReportedFinding): string {
  return `${severity.toUpperCase()}: ${sentence}. To mend it: ${command}`;
}

function nameOf(installation: string): string {
  return installation.replace(/^https?:\/\//, '');
}

function shownFinding(finding: ReportedFinding) {
  return { ...finding, since: timeOf(finding.since) };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
