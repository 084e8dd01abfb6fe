import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { escapeHtml } from './html.ts';
import { style } from './style.ts';

/** A page of the service with its own content: the landing page and the error catalogue. */
export interface HtmlPage {
  title: string;
  /** The content of the element `main`, as HTML. */
  main: string;
  /** A script that improves the page. The page must work without it. */
  script?: string;
}

/** The pages that every page links to, relative to the folder of the service. */
const links = { docs: 'API reference', errors: 'Error codes', 'openapi.json': 'OpenAPI document' };

/**
 * Renders a page as a document without other files, except the icon.
 * @param base address of the service's folder, relative to the page: a proxy may add a path prefix
 */
export function renderPage({ title, main, script }: HtmlPage, base: string): string {
  const items = Object.entries(links).map(([path, text]) => `<li><a href="${base}${path}">${text}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${base}favicon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="site"><a class="brand" href="${base}"><img src="${base}favicon.svg" alt="" width="28" height="28">Profile service</a>
<nav aria-label="Pages"><ul>${items.join('')}</ul></nav></header>
<main id="content">${main}</main>${script === undefined ? '' : `\n<script>${script}</script>`}
</body>
</html>
`;
}

/** Returns the directives of the content security policy of such a page: it runs its own script, uses its own style, and loads only the icon. */
export const directivesOf = ({ script }: HtmlPage) => ({
  ...(script === undefined ? {} : { scriptSrc: [hashSource(script)] }),
  styleSrc: [hashSource(style)],
  imgSrc: ["'self'"],
  formAction: ["'none'"],
});

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Address of the service's folder, relative to the page. A proxy may add a path prefix, and the address of a page may end in a slash. */
export const baseOf = ({ path }: Request): string => (/.\/$/.test(path) ? '../' : './');
