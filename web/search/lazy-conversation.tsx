import { useEffect, useState } from 'preact/hooks';
import type { ConversationCard, ConversationProps } from './conversation-card.tsx';

/** Answers are a file of their own: it comes while the first search is on its way. */
export const conversationLoaded = import('./conversation-card.tsx').then(
  (module) => module.ConversationCard,
  // Without it there are results, and no answers.
  () => undefined,
);

export function LazyConversation(props: ConversationProps) {
  const [Card, setCard] = useState<typeof ConversationCard>();
  useEffect(() => {
    void conversationLoaded.then((loaded) => setCard(() => loaded));
  }, []);
  return Card === undefined ? null : <Card {...props} />;
}
