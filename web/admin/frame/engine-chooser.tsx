import { useLocation } from 'preact-iso/router';
import { keepEngine, useEngines } from './engines.ts';

const ENGINE_PATH = /^\/admin\/(engines|sites)\/\d+(\/[a-z-]+)?/;

/** Another engine on the same page. */
export function EngineChooser() {
  const { engines = [], current } = useEngines();
  const { path, route } = useLocation();
  if (current === undefined || engines.length < 2) return null;
  const choose = (id: number) => {
    keepEngine(id);
    const [, kind, page = ''] = ENGINE_PATH.exec(path) ?? [];
    route(kind === undefined ? `/admin/sites/${id}` : `/admin/${kind}/${id}${page}`);
  };
  return (
    <select
      class="engine-chooser"
      aria-label="Engine"
      value={current.id}
      onChange={(event) => choose(Number(event.currentTarget.value))}
    >
      {engines.map(({ id, name }) => (
        <option key={id} value={id}>
          {name} ({id})
        </option>
      ))}
    </select>
  );
}
