import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mutantsPage } from './table.ts';

/** Writes docs/change/mutants.md. */
const page = fileURLToPath(new URL('../../../docs/change/mutants.md', import.meta.url));
writeFileSync(page, mutantsPage());
execFileSync('prettier', ['--write', page], { stdio: 'inherit' });
