import { readFileSync, writeFileSync } from 'node:fs';
import { endpoints } from '@profile-service/contracts';
import { createDocument, printDocument } from './document.ts';

/** `pnpm openapi` writes the document. With `--check` it fails if the committed document is out of date. */
const file = new URL('../openapi.json', import.meta.url);
const text = printDocument(createDocument(endpoints));

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  console.error('apps/api/openapi.json is out of date. Run `pnpm openapi` and commit the file.');
  process.exitCode = 1;
}
