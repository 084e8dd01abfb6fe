import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { breakingChanges, installOasdiff } from './openapi/breaking-changes.ts';
import type { OpenApiDocument } from './openapi/error-codes.ts';

/** `pnpm openapi:breaking` fails if the OpenAPI document breaks clients of the released one in a way that is not declared. See docs/change/versioning.md. */
const inApi = (file: string) => fileURLToPath(new URL(`../apps/api/${file}`, import.meta.url));
const read = (file: string) => JSON.parse(readFileSync(inApi(file), 'utf8')) as OpenApiDocument;

const changes = breakingChanges(await installOasdiff(), read('openapi.released.json'), read('openapi.json'), inApi('openapi.breaking.txt'));
if (changes.length > 0) {
  console.error('Breaking changes since the released document that apps/api/openapi.breaking.txt does not declare:');
  for (const change of changes) console.error(`  ${change}`);
  process.exitCode = 1;
}
