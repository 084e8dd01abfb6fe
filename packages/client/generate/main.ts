import { formatFile, writeOrCheck } from '../../../scripts/generated-file.ts';
import { writeErrors } from './errors.ts';
import { writeModels } from './models.ts';
import { writeExports, writeMutations, writeProcedures } from './procedures.ts';

/** `pnpm generate client` writes the types of the client from the contracts. With `--check` it fails if the committed files are out of date. */
const texts = {
  'errors.ts': writeErrors(),
  'models.ts': writeModels(),
  'exports.ts': writeExports(),
  'mutations.ts': writeMutations(),
  'procedures.ts': writeProcedures(),
};

for (const [name, text] of Object.entries(texts)) {
  const path = `packages/client/src/generated/${name}`;
  const header = '// Generated from packages/contracts by `pnpm generate client`. Do not edit.\n\n';
  writeOrCheck(path, await formatFile(path, header + text), 'pnpm generate client');
}
