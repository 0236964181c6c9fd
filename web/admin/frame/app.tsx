import type { ComponentType } from 'preact';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { mayOpen, useSignedIn } from '../client/client-context.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ToastProvider } from '../parts/toasts.tsx';
import { useEngineOfPage, useEngines } from './engines.ts';
import { Layout } from './layout.tsx';
import { lazyPage } from './lazy-page.tsx';
import { PAGES } from './pages.ts';
import { SessionGate } from './session-gate.tsx';

const LAZY_PAGES = PAGES.map((page) => {
  const Page = lazyPage(page.load);
  return { ...page, Page: page.path.startsWith('/admin/engines/') ? ofEngine(Page) : Page };
});
const InvitationPage = lazyPage(() => import('../pages/invitation-page.tsx').then((module) => module.InvitationPage));

export function App() {
  return (
    <LocationProvider scope={/^\/admin(?!\/v1)/}>
      <Whole />
    </LocationProvider>
  );
}

/** Invitations are for people who cannot sign in yet. */
function Whole() {
  const { path } = useLocation();
  if (path === '/admin/invitation') return <InvitationPage />;
  return (
    <SessionGate>
      <ToastProvider>
        <Layout>
          <Pages />
        </Layout>
      </ToastProvider>
    </SessionGate>
  );
}

function Pages() {
  const { session } = useSignedIn();
  return (
    <Router onRouteChange={() => document.querySelector<HTMLElement>('main')?.focus()}>
      {LAZY_PAGES.filter(({ least }) => mayOpen(session, least)).map(({ path, Page }) => (
        <Route key={path} path={path} component={Page} />
      ))}
      <Route default component={NoPage} />
    </Router>
  );
}

/** A page about an engine, which may not be there for who is signed in. */
function ofEngine(Page: ComponentType): ComponentType {
  return () => {
    const engine = useEngineOfPage();
    const { engines } = useEngines();
    return engine === undefined && engines !== undefined ? <NoPage /> : <Page />;
  };
}

function NoPage() {
  return (
    <>
      <PageHead title="There is no such page" />
      <EmptyState
        icon="why"
        title="The address leads nowhere, or your role does not allow it"
        actions={
          <a class="button main" href="/admin">
            To the start
          </a>
        }
      />
    </>
  );
}
