import { useState } from 'preact/hooks';

/** Pixels, as the style sheet has them: nothing moves when the picture comes. */
const WIDTH = 112;
const HEIGHT = 84;

/** A document's picture, beside what says the same: it has no text of its own. Over https only; one that fails leaves. */
export function Thumbnail({ address }: { readonly address: string }) {
  const [failed, setFailed] = useState('');
  if (failed === address || URL.parse(address)?.protocol !== 'https:') return null;
  return (
    <img
      class="thumbnail"
      src={address}
      alt=""
      width={WIDTH}
      height={HEIGHT}
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
      onError={() => setFailed(address)}
    />
  );
}
