import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fillIn } from './table.ts';

/** Writes the table of the mutants into docs/security.md. */
const document = fileURLToPath(new URL('../../../docs/security.md', import.meta.url));
writeFileSync(document, fillIn(readFileSync(document, 'utf8')));
execFileSync('prettier', ['--write', document], { stdio: 'inherit' });
