import { useLocation } from 'preact-iso/router';
import { mayOpen, useSignedIn } from '../client/client-context.ts';
import { ROLE_NAMES } from '../client/role-names.ts';
import { useChange } from '../client/use-change.ts';
import { Icon } from '../parts/icon.tsx';
import { useToast } from '../parts/toasts.tsx';
import { Brand } from './brand.tsx';
import { useEngines } from './engines.ts';
import { PAGES, SECTIONS, type SectionId } from './pages.ts';

export const SIDEBAR_ID = 'sidebar';

/** Beside the page where there is room, else over it, opened by the button of the bar. */
export function Sidebar({ section }: { readonly section: SectionId | undefined }) {
  const { session } = useSignedIn();
  const { current } = useEngines();
  const shown = SECTIONS.filter(({ id }) => PAGES.some((page) => page.section === id && mayOpen(session, page.least)));
  return (
    <aside class="sidebar" id={SIDEBAR_ID} popover="auto" aria-label="Fossick">
      <Brand />
      <nav class="sections" aria-label="Sections">
        {shown.map(({ id, label, icon, path }) => (
          <a
            key={id}
            href={addressOf(path, current?.id)}
            aria-current={id === section ? 'page' : undefined}
            onClick={closeSidebar}
          >
            <Icon name={icon} />
            {label}
          </a>
        ))}
      </nav>
      <div class="sidebar-foot">
        <Person />
      </div>
    </aside>
  );
}

/** A part about an engine begins with adding a site where there is none. */
function addressOf(path: string, engineId: number | undefined): string {
  if (!path.includes(':engineId')) return path;
  return engineId === undefined ? '/admin/sites/add' : path.replace(':engineId', String(engineId));
}

function closeSidebar(): void {
  const sidebar = document.getElementById(SIDEBAR_ID);
  if (sidebar?.matches(':popover-open')) sidebar.hidePopover();
}

function Person() {
  const { session, signOut } = useSignedIn();
  const { path } = useLocation();
  const change = useChange();
  const toast = useToast();
  const leave = async () => {
    if (!(await change.run(signOut))) toast({ text: 'You are still signed in: the connection is lost' });
  };
  const { person, role } = session;
  const name = person === null ? 'Operator token' : (person.name ?? person.email);
  return (
    <div class="person">
      <span class="person-name">
        <span class="cut" dir="auto" title={name}>
          {name}
        </span>
        <span class="small quiet">
          {ROLE_NAMES[role]}
          {person !== null && path !== '/admin/account' && (
            <>
              {' · '}
              <a href="/admin/account">Account</a>
            </>
          )}
        </span>
      </span>
      <button type="button" class="plain" aria-label="Sign out" title="Sign out" onClick={() => void leave()}>
        <Icon name="leave" />
      </button>
    </div>
  );
}
