import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readmeBlocks, runCommands } from '../../test/readme-commands.ts';
import { startDemoService } from '../clients/demo-service.ts';

/** What the commands print with the demo data. */
const expected = ['Cooperativa Sertão Verde', 'ORGANIZATION_NOT_FOUND', 'The organization is gone.'];

/** Runs the commands with which the README calls the service from TypeScript and from Python. */
export async function callAsReadmeSays(): Promise<void> {
  const [token = ''] = await readmeBlocks('First requests');
  const [typescript = ''] = await readmeBlocks('TypeScript');
  const [python = ''] = await readmeBlocks('Other languages');
  const folder = await mkdtemp(join(tmpdir(), 'profile-readme-'));
  const service = await startDemoService();
  try {
    const { stdout } = await runCommands([token, typescript, python].join('\n'), Number(new URL(service.url).port), folder);
    const missing = expected.filter((text) => !stdout.includes(text));
    if (missing.length > 0) throw new Error(`The commands did not print ${missing.join(', ')}:\n${stdout}`);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}
