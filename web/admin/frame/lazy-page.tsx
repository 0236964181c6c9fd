import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';

type State = { readonly Page?: ComponentType; readonly error?: unknown };

/** A page whose chunk is loaded when it is first shown. */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function LazyPage() {
    const [{ Page = loaded, error }, setState] = useState<State>({});
    const fetchPage = () => {
      setState({});
      load().then(
        (found) => {
          loaded = found;
          setState({ Page: found });
        },
        (reason: unknown) => setState({ error: reason }),
      );
    };
    useEffect(() => {
      if (loaded === undefined) fetchPage();
    }, []);
    if (Page !== undefined) return <Page />;
    if (error !== undefined) return <ErrorNotice error={error} onRetry={fetchPage} />;
    return <Skeleton lines={8} />;
  };
}
