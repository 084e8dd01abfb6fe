import { formatFile, writeOrCheck } from '../../../scripts/generated-file.ts';
import { errorsPage } from './errors-page.ts';
import { settingsPage } from './settings-page.ts';

/** `pnpm generate reference` writes the pages below. With `--check` it fails if a committed page is out of date. */
const pages = { 'docs/run/settings.md': settingsPage, 'docs/use/errors.md': errorsPage };
for (const [path, page] of Object.entries(pages)) writeOrCheck(path, await formatFile(path, page()), 'pnpm generate reference');
