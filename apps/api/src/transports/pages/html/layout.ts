import { createHash } from 'node:crypto';
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

/** Returns the content security policy of such a page: it runs its own script, uses its own style, and loads only the icon. */
export const policyOf = ({ script }: HtmlPage): string =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src '${hashSource(script)}'`]),
    `style-src '${hashSource(style)}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join(';');

const hashSource = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
