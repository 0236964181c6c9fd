import { useEffect, useState } from 'preact/hooks';
import type { ConversationCard, ConversationProps } from './conversation-card.tsx';

/** undefined: there are results, and no answers. */
export type LoadedConversation = Promise<typeof ConversationCard | undefined>;

/** Answers are a file of their own: it comes while the first search is on its way. */
export function loadConversation(): LoadedConversation {
  return import('./conversation-card.tsx').then(
    (module) => module.ConversationCard,
    () => undefined,
  );
}

export function LazyConversation({ loaded, ...props }: ConversationProps & { readonly loaded: LoadedConversation }) {
  const [Card, setCard] = useState<typeof ConversationCard>();
  useEffect(() => {
    void loaded.then((card) => setCard(() => card));
  }, [loaded]);
  return Card === undefined ? null : <Card {...props} />;
}
