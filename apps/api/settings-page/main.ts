import { formatFile, writeOrCheck } from '../../../scripts/generated-file.ts';
import { settingsPage } from './page.ts';

/** `pnpm generate settings` writes docs/settings.md. With `--check` it fails if the committed page is out of date. */
const path = 'docs/settings.md';
writeOrCheck(path, await formatFile(path, settingsPage()), 'pnpm generate settings');
