/** The paths of the documentation. `pages.ts` knows them before it loads `documentation.ts`. */
export const documentationPaths = [
  '/',
  '/docs',
  '/docs/openapi.json',
  '/docs/scalar.js',
  '/errors',
  '/favicon.ico',
  '/favicon.svg',
  '/openapi.json',
] as const;
export type DocumentationPath = (typeof documentationPaths)[number];
