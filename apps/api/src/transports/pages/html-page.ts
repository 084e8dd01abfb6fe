import type { RequestHandler } from 'express';
import { htmlHeaders } from './html-headers.ts';
import { baseOf, directivesOf, type HtmlPage, renderPage } from './layout.ts';
import { createStaticContent } from './static-content.ts';

/** Creates the handler of a page that is the same in every response. @param create renders it for a base address */
export function htmlPage(create: (base: string) => HtmlPage): RequestHandler {
  const rendered = new Map<string, { setHeaders: RequestHandler; send: RequestHandler }>();
  const render = (base: string) => {
    const page = create(base);
    const { send } = createStaticContent('html', Buffer.from(renderPage(page, base)));
    const handlers = { setHeaders: htmlHeaders(directivesOf(page)), send };
    rendered.set(base, handlers);
    return handlers;
  };
  return (request, response, next) => {
    const base = baseOf(request);
    const { setHeaders, send } = rendered.get(base) ?? render(base);
    setHeaders(request, response, (error) => (error ? next(error) : send(request, response, next)));
  };
}
