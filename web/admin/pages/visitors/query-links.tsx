import { useMay } from '../../client/client-context.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';

type Act = { readonly icon: IconName; readonly label: string; readonly query: Record<string, string> };

/** What an editor can do about a query. */
export function QueryLinks({ engineId, query }: { readonly engineId: string; readonly query: string }) {
  const mayEdit = useMay('editor');
  if (!mayEdit) return null;
  const acts: readonly Act[] = [
    { icon: 'show', label: 'Preview', query: { q: query } },
    { icon: 'pin', label: 'Pin a page', query: { q: query, add: 'page' } },
    { icon: 'synonym', label: 'Add a synonym', query: { q: query, add: 'synonym' } },
  ];
  return (
    <span class="query-links">
      {acts.map(({ icon, label, query: asked }) => (
        <a
          key={icon}
          class="button plain"
          href={`/admin/engines/${engineId}/preview?${new URLSearchParams(asked)}`}
          aria-label={`${label}: ${query}`}
          title={label}
        >
          <Icon name={icon} />
        </a>
      ))}
    </span>
  );
}
