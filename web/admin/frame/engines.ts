import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Engine } from '../generated-types.ts';

export type Engines = {
  /** undefined: still loaded. */
  readonly engines: readonly Engine[] | undefined;
  /** That of the address, else the one that was chosen last. */
  readonly current: Engine | undefined;
  readonly reload: () => void;
};

const EnginesContext = createContext<Engines>({ engines: undefined, current: undefined, reload: () => undefined });

export const EnginesProvider = EnginesContext.Provider;

/** The engines that who is signed in may see. */
export function useEngines(): Engines {
  return useContext(EnginesContext);
}

/** The engine of the address (`:engineId`) of a page; undefined while it is loaded, or when it is not there. */
export function useEngineOfPage(): Engine | undefined {
  const { params } = useRoute();
  return useEngines().engines?.find(({ id }) => String(id) === params['engineId']);
}

const KEPT = 'fossick-admin-engine';

export function keepEngine(id: number): void {
  localStorage.setItem(KEPT, String(id));
}

/** `path`: of the page that is shown. */
export function currentEngine(engines: readonly Engine[], path: string): Engine | undefined {
  const [, ofPath] = /^\/admin\/(?:engines|sites)\/(\d+)/.exec(path) ?? [];
  const wanted = ofPath ?? localStorage.getItem(KEPT);
  return engines.find(({ id }) => String(id) === wanted) ?? engines[0];
}
