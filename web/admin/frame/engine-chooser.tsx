import { useLocation } from 'preact-iso/router';
import { useEngines } from './engines.ts';

const ENGINE_PATH = /^\/admin\/(engines|sites)\/\d+(\/[a-z-]+)?/;

/** Another engine on the same page; elsewhere the one that the sections are about. */
export function EngineChooser() {
  const { engines = [], current, choose: keep } = useEngines();
  const { path, route } = useLocation();
  if (current === undefined || engines.length < 2) return null;
  const choose = (id: number) => {
    keep(id);
    const [, kind, page = ''] = ENGINE_PATH.exec(path) ?? [];
    if (kind !== undefined) route(`/admin/${kind}/${id}${page}`);
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
