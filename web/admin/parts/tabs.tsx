import { useEffect, useRef } from 'preact/hooks';

export type Tab = {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
  /** What waits there. */
  readonly count?: number | undefined;
};

/** Parts of a page with an address each. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const nav = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href;
  // Where there is little room, they scroll: the current one is in sight.
  useEffect(() => {
    if (current !== undefined) nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <nav class="tabs" aria-label={label} ref={nav}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab.href}>
            <a href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
              {tab.label}
              {tab.count !== undefined && tab.count > 0 && <span class="count">{tab.count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
