import type { ConversationStore, Exchange } from '../storage/conversation-store.ts';
import type { AnswerEvent } from './answer-event.ts';
import type { AnswerReport } from './answer-report.ts';
import { type ConversationDeps, withoutStore } from './conversation.ts';

/**
 * The events of an answer, its exchange stored before the last of them, so that a follow-up finds it; one that breaks
 * off or is left behind its first event is stored as incomplete.
 */
export async function* recorded(
  events: AsyncIterable<AnswerEvent>,
  report: AnswerReport,
  store: (exchange: Exchange) => Promise<void>,
): AsyncGenerator<AnswerEvent, void> {
  let isStored = false;
  try {
    for await (const event of events) {
      report.see(event);
      if (event.type === 'end') {
        isStored = true;
        await store(report.exchange());
      }
      yield event;
    }
  } finally {
    if (report.hasBegun() && !isStored) await store(report.exchange());
  }
}

export type ReportedDeps = ConversationDeps & { readonly systemStore: Pick<ConversationStore, 'addTokens'> };

/** The same events, counted and logged behind their end, with tokens that no exchange accounts for. */
export async function* reported(
  deps: ReportedDeps,
  report: AnswerReport,
  answer: () => AsyncIterable<AnswerEvent>,
): AsyncGenerator<AnswerEvent, void> {
  try {
    yield* answer();
  } catch (error) {
    report.failed(error);
    throw error;
  } finally {
    const { input, output } = report.usage();
    if (!report.hasBegun() && input + output > 0) await addTokens(deps, report);
    report.close();
  }
}

async function addTokens(deps: ReportedDeps, report: AnswerReport): Promise<void> {
  const { conversation, at, tokens } = report.exchange();
  await withoutStore(deps, 'write', undefined, () =>
    deps.systemStore.addTokens({ engineId: conversation.engineId, at, tokens }),
  );
}
