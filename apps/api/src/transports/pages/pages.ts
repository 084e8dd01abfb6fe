import { ProblemError } from '@profile-service/contracts';
import type { Health } from '../../observability/health.ts';
import type { Transport } from '../http/listener.ts';
import type { DocumentationOptions, DocumentationPath } from './documentation.ts';
import { createHealthPages } from './health-pages.ts';
import { findPage, isRead, type Page, type Pages } from './page.ts';

export interface PagesOptions extends DocumentationOptions {
  health: Health;
}

/** Creates the transport of health, OpenAPI document, API reference and error catalogue. */
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
  return {
    '/openapi.json': lazy('/openapi.json'),
    '/docs': lazy('/docs'),
    '/docs/openapi.json': lazy('/docs/openapi.json'),
    '/docs/scalar.js': lazy('/docs/scalar.js'),
    '/errors': lazy('/errors'),
  };
}
