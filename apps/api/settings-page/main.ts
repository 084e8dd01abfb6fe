import { formatFile, writeOrCheck } from '../../../scripts/generated-file.ts';
import { settingsPage } from './page.ts';

/** `pnpm docs:settings` writes docs/run/settings.md. With `--check` it fails if the committed page is out of date. */
const path = 'docs/run/settings.md';
writeOrCheck(path, await formatFile(path, settingsPage()), 'pnpm docs:settings');
