import { formatFile, writeOrCheck } from '../../../scripts/generated-file.ts';
import { errorsPage } from './errors-page.ts';
import { realmFile, realmWithRoles } from './realm.ts';
import { settingsPage } from './settings-page.ts';

/** `pnpm generate reference` writes the files below. With `--check` it fails if a committed one is out of date. */
const files = { 'docs/run/settings.md': settingsPage, 'docs/use/errors.md': errorsPage, [realmFile]: realmWithRoles };
for (const [path, make] of Object.entries(files)) writeOrCheck(path, await formatFile(path, make()), 'pnpm generate reference');
