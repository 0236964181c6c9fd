import { useEffect, useState } from 'preact/hooks';
import { useLanguage } from '../parts/language.ts';
import type { AnswerProps, Answers } from './answers.tsx';
import type { ChunkLoader } from './chunks.ts';

type Props = AnswerProps & { readonly loader: ChunkLoader };
type Loaded = { readonly Answers: typeof Answers };

/** Where answers stand; their part of the widget is loaded when one is offered. */
export function AnswerSlot({ loader, ...props }: Props) {
  const { text } = useLanguage();
  const [loaded, setLoaded] = useState<Loaded | 'failed'>();
  useEffect(() => {
    loader.load<Loaded>('answers').then(setLoaded, () => setLoaded('failed'));
  }, [loader]);
  if (loaded === 'failed') return <p class="hint">{text('error.answerOffline')}</p>;
  return loaded === undefined ? null : <loaded.Answers key={props.query} {...props} />;
}
