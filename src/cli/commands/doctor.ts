import { type ExaminedPart, examineMachine, type SeededCrawler } from '../../compose/doctor/examine-machine.ts';
import { AppError } from '../../core/errors.ts';
import type { Client } from '../client.ts';
import type { Command, Context } from '../command.ts';
import { printFinding, type ShownFinding } from './status.ts';

export const doctorCommands: readonly Command[] = [
  {
    name: 'doctor',
    usage: '',
    summary: 'Look at everything, also without a running product',
    words: [0, 0],
    routes: ['GET /status', 'GET /crawlers'],
    run: async (context) => {
      const { environment, folder, print, endBadly } = context;
      const { crawlers, ...product } = await askProduct(context);
      const parts = [...(await examineMachine({ environment, folder, crawlers })), product];
      const findings = withoutRepeats(parts.flatMap((part) => part.findings as readonly ShownFinding[]));
      if (findings.length > 0) endBadly();
      if (print.isJson) {
        print.record({ isRunning: crawlers !== undefined, findings });
        return;
      }
      const isRunning = crawlers !== undefined;
      for (const { part, findings: found } of isRunning ? parts : parts.slice(0, -1)) {
        print.note(`${found.length === 0 ? 'ok   ' : 'WRONG'} ${part}`);
      }
      if (!isRunning)
        print.note('-     running product: nothing answers here, so what runs was not looked at: npm start');
      for (const found of findings) printFinding(print, found);
    },
  },
];

type ProductReply = Omit<ExaminedPart, 'findings'> & {
  readonly findings: readonly ShownFinding[];
  /** Undefined: no product answers. */
  readonly crawlers: readonly SeededCrawler[] | undefined;
};

/** What the product says of itself; nothing when it does not run. A token that it refuses is a finding. */
async function askProduct(context: Context): Promise<ProductReply> {
  const part = 'running product';
  try {
    const client = await context.client();
    const { findings } = await client.admin('GET', '/status');
    return { part, findings: findings as readonly ShownFinding[], crawlers: await seededCrawlers(client) };
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'auth.invalid' && error.message.includes('\n');
    if (!isRefused) return { part, findings: [], crawlers: undefined };
    const [sentence = '', next = ''] = error.message.split('\nNext: ');
    return {
      part,
      findings: [{ name: 'token-refused', severity: 'error', subject: 'operator token', sentence, command: next }],
      crawlers: [],
    };
  }
}

async function seededCrawlers(client: Client): Promise<readonly SeededCrawler[]> {
  const crawlers = await client.list('/crawlers');
  return crawlers
    .filter(({ active }) => active === true)
    .map(({ id, seeds }) => ({ id: Number(id), seeds: Array.isArray(seeds) ? seeds.map(String) : [] }));
}

/** What the product tells and this machine shows as well is one finding. */
function withoutRepeats(findings: readonly ShownFinding[]): readonly ShownFinding[] {
  return [...new Map(findings.map((found) => [`${found.name} ${found.sentence}`, found])).values()];
}
