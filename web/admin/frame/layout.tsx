import type { ComponentChildren } from 'preact';
import { exec, useLocation } from 'preact-iso/router';
import { Icon } from '../parts/icon.tsx';
import { AskBox } from './ask-box.tsx';
import { EngineChooser } from './engine-chooser.tsx';
import { EnginesProvider, useEngineList } from './engines.ts';
import { PAGES } from './pages.ts';
import { SIDEBAR_ID, Sidebar } from './sidebar.tsx';

/** What is around every page. */
export function Layout({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  const engines = useEngineList(path);
  const section = PAGES.find((page) => exec(path, page.path) !== undefined)?.section;
  return (
    <EnginesProvider value={engines}>
      <a class="button skip" href="#main">
        Skip to the page
      </a>
      <div class="frame">
        <Sidebar section={section} />
        <header class="bar">
          <button
            type="button"
            class="menu-button"
            aria-label="Sections"
            onClick={() => document.getElementById(SIDEBAR_ID)?.showPopover()}
          >
            <Icon name="menu" />
          </button>
          <AskBox />
          <EngineChooser />
        </header>
        <main class="page" id="main" tabIndex={-1}>
          <div class="page-body">{children}</div>
        </main>
      </div>
    </EnginesProvider>
  );
}
