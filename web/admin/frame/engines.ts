import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { useAnswer } from '../client/use-answer.ts';
import type { Engine, NamedEngine } from '../generated-types.ts';

/** What everybody sees of an engine; readers do not see who manages it. */
export type KnownEngine = Omit<NamedEngine, 'searchPage'> & Partial<Pick<Engine, 'managedBy'>>;

export type Engines = {
  /** undefined: still loaded. Where there are very many, the first of them and that of the address. */
  readonly engines: readonly KnownEngine[] | undefined;
  /** That of the address, else the one that was chosen last. */
  readonly current: KnownEngine | undefined;
  /** For pages that are about no engine. */
  readonly choose: (id: number) => void;
  readonly reload: () => void;
};

const EnginesContext = createContext<Engines>({
  engines: undefined,
  current: undefined,
  choose: () => undefined,
  reload: () => undefined,
});

export const EnginesProvider = EnginesContext.Provider;

/** The engines that who is signed in may see. */
export function useEngines(): Engines {
  return useContext(EnginesContext);
}

/** The engine of the address (`:engineId`) of a page; undefined while it is loaded, or when it is not there. */
export function useEngineOfPage(): KnownEngine | undefined {
  const { params } = useRoute();
  return useEngines().engines?.find(({ id }) => String(id) === params['engineId']);
}

const KEPT = 'fossick-admin-engine';
/** As many as the server lists at once. */
const MAX_ENGINES = 100;

/** `path`: of the page that is shown. */
export function useEngineList(path: string): Engines {
  const [chosen, setChosen] = useState(() => localStorage.getItem(KEPT));
  const list = useAnswer<{ readonly items: readonly KnownEngine[] }>(`/engines?limit=${MAX_ENGINES}`);
  const [, ofPath] = /^\/admin\/(?:engines|sites)\/(\d+)/.exec(path) ?? [];
  const listed = list.answer?.items;
  const isBeyond = ofPath !== undefined && listed !== undefined && !listed.some(({ id }) => String(id) === ofPath);
  const beyond = useAnswer<KnownEngine>(isBeyond ? `/engines/${ofPath}` : undefined);
  const engines = isBeyond && beyond.answer === undefined && beyond.error === undefined ? undefined : listed;
  const shown = isBeyond && beyond.answer !== undefined ? [...(engines ?? []), beyond.answer] : engines;
  return {
    engines: shown,
    current: shown?.find(({ id }) => String(id) === (ofPath ?? chosen)) ?? shown?.[0],
    choose: (id) => {
      localStorage.setItem(KEPT, String(id));
      setChosen(String(id));
    },
    reload: list.reload,
  };
}
