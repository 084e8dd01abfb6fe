import type { IncomingMessage, ServerResponse } from 'node:http';

/** Responds to GET and HEAD requests of one path. */
export type Page = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Pages by path. */
export type Pages<Path extends string = string> = Readonly<Record<Path, Page>>;

/** The Content-Type of pages, by kind. */
export const contentTypes = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  javascript: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  icon: 'image/x-icon',
} as const;
export type ContentType = keyof typeof contentTypes;

/** Returns the path of the request target, without query. The target may be an absolute URL. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1);
  return path;
}

/** Finds the page of a request. A slash at the end of the path is ignored. */
export function findPage(pages: Pages, request: IncomingMessage): Page | undefined {
  const path = pathOf(request).replace(/(?<=.)\/$/, '');
  return Object.hasOwn(pages, path) ? pages[path] : undefined;
}

/** Whether the method is one that pages respond to. */
export const isRead = ({ method = '' }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Sends a whole response. Texts are sent in UTF-8. Node omits the body for HEAD. */
export function sendContent(response: ServerResponse, type: ContentType, content: string | Buffer, status = 200): void {
  response.writeHead(status, { 'content-type': contentTypes[type], 'content-length': Buffer.byteLength(content) });
  response.end(content);
}
