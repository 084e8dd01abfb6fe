/** The paths of the pages. They are known before the pages are loaded. */
export const pagePaths = [
  '/',
  '/docs',
  '/docs/openapi.json',
  '/docs/scalar.js',
  '/errors',
  '/favicon.ico',
  '/favicon.svg',
  '/openapi.json',
] as const;
export type PagePath = (typeof pagePaths)[number];
