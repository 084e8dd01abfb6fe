import { ProblemError } from '@profile-service/contracts';
import type { Health } from '../../observability/health.ts';
import type { Transport } from '../http/listener.ts';
import type { DocumentationOptions } from './documentation.ts';
import { type DocumentationPath, documentationPaths } from './documentation-paths.ts';
import { createHealthPages } from './health-pages.ts';
import { findPage, isRead, type Page, type Pages } from './page.ts';

export interface PagesOptions extends DocumentationOptions {
  health: Health;
}

/** Creates the transport of health, OpenAPI document, API reference, error catalogue and landing page. */
export function createPages({ health, ...options }: PagesOptions): Transport {
  const pages: Pages = { ...createHealthPages(() => health.report()), ...lazyDocumentation(options) };
  return async (exchange) => {
    const { request, response } = exchange;
    const page = findPage(pages, request);
    if (!page) return false;
    if (!isRead(request)) {
      exchange.setHeader('allow', 'GET, HEAD');
      throw new ProblemError('METHOD_NOT_ALLOWED');
    }
    exchange.applyHeaders();
    await page(request, response);
    return true;
  };
}

/** Loads the documentation at its first request: it takes 10 MB of memory, and most instances never serve it. */
function lazyDocumentation(options: DocumentationOptions): Pages<DocumentationPath> {
  let loaded: Promise<Pages<DocumentationPath>> | undefined;
  const load = () => (loaded ??= import('./documentation.ts').then(({ createDocumentation }) => createDocumentation(options)));
  const lazy =
    (path: DocumentationPath): Page =>
    async (request, response) =>
      (await load())[path](request, response);
  return Object.fromEntries(documentationPaths.map((path) => [path, lazy(path)])) as Pages<DocumentationPath>;
}
