/** `error`: something does not work now · `warning`: it will not go on for ever, or works less well. */
export const SEVERITIES = ['warning', 'error'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Every kind of finding; its name is a label of metrics and a member of alerts, so it is never renamed. */
export const FINDINGS = {
  'role-missing': { severity: 'error', about: 'Nobody does the work of a role' },
  'process-restarts': { severity: 'error', about: 'A process ends and is started again and again' },
  'configuration-wrong': { severity: 'error', about: 'A variable or the provision file has a fault (doctor)' },
  'node-old': { severity: 'error', about: 'Node is older than the program needs (doctor)' },
  'data-folder': { severity: 'error', about: 'The data folder cannot be written (doctor)' },
  'port-taken': { severity: 'error', about: 'Another program listens on a port of the product (doctor)' },
  'redis-missing': { severity: 'error', about: 'There is no Redis to start (doctor)' },
  'check-failed': { severity: 'error', about: 'A part of the installation could not be looked at' },
  'disk-low': { severity: 'warning', about: 'Less than 5 % of the disk is free' },
  'disk-full': { severity: 'error', about: 'The disk has no room: writes are refused' },
  'backup-late': {
    severity: 'warning',
    about: 'There is no backup of the last period of the schedule, or of the last day',
  },
  'clock-jumped': { severity: 'warning', about: 'The clock of the machine was set by more than five minutes' },
  'backup-failed': { severity: 'warning', about: 'The last backup could not be written' },
  'index-repair': { severity: 'error', about: 'The index of an engine is being made from its store' },
  'store-unusable': { severity: 'error', about: 'The store of an engine is damaged, or of a newer program' },
  'documents-damaged': { severity: 'warning', about: 'Rows of documents are not what was written' },
  'proxy-unlisted': { severity: 'warning', about: 'A proxy in front of the product is not listed in TRUST_PROXY' },
  'redis-down': { severity: 'error', about: 'Redis does not answer: crawling waits' },
  'redis-slow': { severity: 'warning', about: 'Redis answers late: crawling is slow' },
  'redis-folder': {
    severity: 'warning',
    about: 'Redis could not read its folder: it was set aside, an empty one is used',
  },
  'search-stuck': { severity: 'warning', about: 'Searches went on after their deadline again and again' },
  'index-behind': { severity: 'error', about: 'What was accepted is not found by searches for over 30 s' },
  'host-unknown': { severity: 'warning', about: 'The name of a host that is crawled does not exist' },
  'name-private': {
    severity: 'warning',
    about: 'A name that is crawled leads into a private network: it stays closed',
  },
  'host-down': { severity: 'warning', about: 'A host that is crawled does not answer as a web server should' },
  'host-held': { severity: 'warning', about: 'A host asked to be left alone for a while' },
  'host-stalled': { severity: 'warning', about: 'Pages of a host are due and nothing starts on it' },
  'host-strange': { severity: 'warning', about: 'Pages of a host do not look like themselves: they stay as they are' },
  'seed-out-of-scope': { severity: 'warning', about: 'A seed is left out by rules of its own crawler' },
  'crawler-settings': { severity: 'error', about: 'Settings of a crawler cannot be read' },
  'login-failed': { severity: 'error', about: 'A crawler does not get in: its runs are paused' },
  'removals-held': { severity: 'warning', about: 'Documents wait for an operator before they leave' },
  'site-closed': {
    severity: 'warning',
    about: 'Nearly all pages of a site answer as if they were gone: its documents stay',
  },
  'page-limit': { severity: 'warning', about: 'A run left pages out because of `limits.pages`' },
  'run-failed': { severity: 'error', about: 'The newest run of a crawler failed' },
  'titles-shared': { severity: 'warning', about: 'Many pages of an engine have the same title' },
  'model-down': { severity: 'warning', about: 'The language model fails: answers are quotes of pages' },
  'embedding-down': { severity: 'warning', about: 'The embedding model fails: words alone find what answers' },
  'browser-missing': { severity: 'warning', about: 'A crawler works and there is no Chromium' },
} as const satisfies Record<string, { readonly severity: Severity; readonly about: string }>;

export type FindingName = keyof typeof FINDINGS;
export const FINDING_NAMES = Object.keys(FINDINGS) as readonly FindingName[];

/** Something that an operator should know and can mend. Name and subject together tell one finding from all others. */
export type Finding = {
  readonly name: FindingName;
  readonly severity: Severity;
  /** What it is about: `indexer`, `engine 6`, `crawler 17 https://a.example`. */
  readonly subject: string;
  /** One sentence: what is wrong and what follows from it. */
  readonly sentence: string;
  /** The command that mends it, or the one that shows more. */
  readonly command: string;
};

export function finding(name: FindingName, told: Omit<Finding, 'name' | 'severity'>): Finding {
  return { name, severity: FINDINGS[name].severity, ...told };
}

/** Tells a finding from all others. */
export function keyOf({ name, subject }: Pick<Finding, 'name' | 'subject'>): string {
  return `${name} ${subject}`;
}
