import type { ComponentType } from 'preact';
import type { Role } from '../client/client-context.ts';
import type { IconName } from '../parts/icon.tsx';
import { ENGINE_PAGES } from './engine-pages.ts';

export type SectionId = 'home' | 'sites' | 'tools' | 'why' | 'visitors' | 'documents' | 'embed' | 'system';

export type SectionRow = {
  readonly id: SectionId;
  readonly label: string;
  readonly icon: IconName;
  /** Where it begins; `:engineId` is the chosen engine. */
  readonly path: string;
};

export type PageRow = {
  /** As the router reads it. */
  readonly path: string;
  readonly section: SectionId;
  /** Who may open it; the sidebar leaves out what one may not. */
  readonly least: Role;
  /** A chunk of its own. */
  readonly load: () => Promise<ComponentType>;
};

/** Entries of the sidebar, in their order; one whose page is missing is not shown. */
export const SECTIONS: readonly SectionRow[] = [
  { id: 'home', label: 'Home', icon: 'home', path: '/admin' },
  { id: 'sites', label: 'Sites', icon: 'sites', path: '/admin/sites' },
  { id: 'tools', label: 'Preview and tools', icon: 'tools', path: '/admin/engines/:engineId/preview' },
  { id: 'visitors', label: 'Visitors', icon: 'visitors', path: '/admin/engines/:engineId/visitors' },
  { id: 'documents', label: 'Documents', icon: 'documents', path: '/admin/engines/:engineId/documents' },
  { id: 'why', label: 'Why?', icon: 'why', path: '/admin/engines/:engineId/why' },
  { id: 'embed', label: 'Embed', icon: 'embed', path: '/admin/engines/:engineId/embed' },
  { id: 'system', label: 'System', icon: 'system', path: '/admin/system' },
];

export const PAGES: readonly PageRow[] = [
  {
    path: '/admin',
    section: 'home',
    least: 'reader',
    load: () => import('../pages/home/home-page.tsx').then(({ HomePage }) => HomePage),
  },
  {
    path: '/admin/sites',
    section: 'sites',
    least: 'editor',
    load: () => import('../pages/sites/sites-page.tsx').then(({ SitesPage }) => SitesPage),
  },
  {
    path: '/admin/sites/add',
    section: 'sites',
    least: 'operator',
    load: () => import('../pages/add-site/add-site-page.tsx').then(({ AddSitePage }) => AddSitePage),
  },
  {
    path: '/admin/sites/:engineId/:tab?',
    section: 'sites',
    least: 'editor',
    load: () => import('../pages/site/site-page.tsx').then(({ SitePage }) => SitePage),
  },
  ...ENGINE_PAGES,
  {
    path: '/admin/system/:tab?',
    section: 'system',
    least: 'operator',
    load: () => import('../pages/system/system-page.tsx').then(({ SystemPage }) => SystemPage),
  },
  {
    path: '/admin/account',
    section: 'home',
    least: 'reader',
    load: () => import('../pages/account-page.tsx').then(({ AccountPage }) => AccountPage),
  },
];
