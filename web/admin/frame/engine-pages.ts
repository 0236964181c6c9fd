import type { PageRow } from './pages.ts';

/** Pages about one engine, for who edits it or reads its statistics. */
export const ENGINE_PAGES: readonly PageRow[] = [
  {
    path: '/admin/engines/:engineId/preview',
    section: 'tools',
    least: 'editor',
    load: () => import('../pages/preview/preview-page.tsx').then(({ PreviewPage }) => PreviewPage),
  },
  {
    path: '/admin/engines/:engineId/tools',
    section: 'tools',
    least: 'editor',
    load: () => import('../pages/tools/tools-page.tsx').then(({ ToolsPage }) => ToolsPage),
  },
  {
    path: '/admin/engines/:engineId/why',
    section: 'why',
    least: 'editor',
    load: () => import('../pages/why/why-page.tsx').then(({ WhyPage }) => WhyPage),
  },
  {
    path: '/admin/engines/:engineId/visitors',
    section: 'visitors',
    least: 'reader',
    load: () => import('../pages/visitors/visitors-page.tsx').then(({ VisitorsPage }) => VisitorsPage),
  },
  {
    path: '/admin/engines/:engineId/visitors/query',
    section: 'visitors',
    least: 'reader',
    load: () => import('../pages/visitors/query-page.tsx').then(({ VisitorQueryPage }) => VisitorQueryPage),
  },
  {
    path: '/admin/engines/:engineId/visitors/page',
    section: 'visitors',
    least: 'reader',
    load: () => import('../pages/visitors/clicked-page-page.tsx').then(({ ClickedPagePage }) => ClickedPagePage),
  },
  {
    path: '/admin/engines/:engineId/documents',
    section: 'documents',
    least: 'editor',
    load: () => import('../pages/documents/documents-page.tsx').then(({ DocumentsPage }) => DocumentsPage),
  },
  {
    path: '/admin/engines/:engineId/documents/:rid',
    section: 'documents',
    least: 'editor',
    load: () => import('../pages/documents/document-page.tsx').then(({ DocumentPage }) => DocumentPage),
  },
  {
    path: '/admin/engines/:engineId/embed',
    section: 'embed',
    least: 'editor',
    load: () => import('../pages/embed/embed-page.tsx').then(({ EmbedPage }) => EmbedPage),
  },
];
