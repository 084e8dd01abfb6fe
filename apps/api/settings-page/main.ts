import { readFileSync, writeFileSync } from 'node:fs';
import { settingsPage } from './page.ts';

/** `pnpm docs:settings` writes docs/settings.md. With `--check` it fails if the committed page is out of date. */
const file = new URL('../../../docs/settings.md', import.meta.url);
const page = settingsPage();

if (!process.argv.includes('--check')) {
  writeFileSync(file, page);
} else if (readFileSync(file, 'utf8') !== page) {
  console.error('docs/settings.md is out of date. Run `pnpm docs:settings` and commit the page.');
  process.exitCode = 1;
}
