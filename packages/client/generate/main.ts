import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { writeErrors } from './errors.ts';
import { writeModels } from './models.ts';
import { writeMutations, writeProcedures } from './procedures.ts';

/** `pnpm client:generate` writes the types of the client from the contracts. With `--check` it fails if the committed files are out of date. */
const folder = new URL('../src/generated/', import.meta.url);
const texts = {
  'errors.ts': writeErrors(),
  'models.ts': writeModels(),
  'mutations.ts': writeMutations(),
  'procedures.ts': writeProcedures(),
};

for (const [name, text] of Object.entries(texts)) {
  const file = fileURLToPath(new URL(name, folder));
  const header = '// Generated from packages/contracts by `pnpm client:generate`. Do not edit.\n\n';
  const formatted = await format(header + text, { ...(await resolveConfig(file)), filepath: file });
  if (!process.argv.includes('--check')) {
    writeFileSync(file, formatted);
  } else if (read(file) !== formatted) {
    console.error(`packages/client/src/generated/${name} is out of date. Run \`pnpm client:generate\` and commit the file.`);
    process.exitCode = 1;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
