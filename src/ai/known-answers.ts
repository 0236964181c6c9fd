import type { Engine } from '../core/records.ts';
import type { ConversationStore, ExchangeKind } from '../storage/conversation-store.ts';

/** What feedback and clicks ask about answers that were given. */
export function knownAnswers({ systemStore }: { readonly systemStore: Pick<ConversationStore, 'findExchange'> }) {
  return {
    knowsAnswer: async ({ id }: Engine, kind: ExchangeKind, exchangeId: string) =>
      (await systemStore.findExchange(id, kind, exchangeId)) !== undefined,
    /** The place in the page aside. */
    citesPage: async ({ id }: Engine, exchangeId: string, url: string) => {
      const exchange = await systemStore.findExchange(id, 'answer', exchangeId);
      return exchange?.sources.some((source) => pageOf(source.url) === pageOf(url)) ?? false;
    },
  };
}

function pageOf(url: string): string {
  return url.replace(/#.*$/s, '');
}
