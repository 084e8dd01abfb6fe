import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { absentId } from '@profile-service/contracts/examples';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile, packClient, readmeDeclarations, readReadmeProgram, tsconfig } from '../../../../test/client-package.ts';
import { linkedOrganization } from '../support/organizations.ts';
import { useWorld } from '../support/world.ts';

const run = promisify(execFile);
const world = useWorld();
let folder: string;
let tarball: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-client-'));
  ({ tarball } = await packClient(folder));
  program = await surround(await readReadmeProgram('ts'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Adds values for what the README leaves to the reader, and what its program prints at the end. */
async function surround(readme: string): Promise<string> {
  const { url } = world.service;
  const { realmUrl } = world.identity;
  const { customerId, appId } = await world.tenant();
  const tenant = { customerId, appId, name: 'Harvest', identityClientId: 'harvest' };
  const { id: tenantId } = await world.create<{ id: string }>('POST /api/tenants', tenant);
  const member = await world.person({ [tenantId]: 'tenant-admin' });
  return `
    const session = ${JSON.stringify({ accessToken: member.token, tenantId })};
    const id = '${await linkedOrganization(world, tenantId)}';
    const file = new File(['%PDF-1.7\\n', new Uint8Array(300_000)], 'statute.pdf', { type: 'application/pdf' });
    const controller = new AbortController();
    const clientSecret = 'test-harvest-secret';
    const newUser = { ...${JSON.stringify({ ...world.newPerson(), persona: 'technician' })}, ...JSON.parse(process.argv[2]) };
    const store = { cursor: undefined };
    const shown = [];
    const show = (text) => {
      shown.push(text);
      // Ends the loop over the events.
      if (text.startsWith('organization.updated')) controller.abort();
    };
    ${readme.replaceAll('http://localhost:3000', url).replaceAll('http://localhost:3001/realms/profile', realmUrl)}
    const missing = await profile.organizations.get.safe({ id: '${absentId}' });
    const wrongSecret = clientCredentials({ issuer: '${realmUrl}', clientId: 'harvest', clientSecret: 'wrong' });
    const refused = await createProfileClient({ url: '${url}', token: wrongSecret }).service.organizations.list.safe();
    console.log(JSON.stringify({
      total, first: organization.id === id, code: missing.error.code, requestId: missing.error.requestId, isError: isProfileError(missing.error),
      shown, cursor: store.cursor, bytes: content.size, linked: linked.total, user: user.data.email === newUser.email, refused: refused.error,
      message: refused.error.message,
    }));`;
}

/** The oldest supported tRPC, and the newest. */
describe.each(['11.4.0', '11.25.2'])('the packed client with tRPC %s', (version) => {
  let project: string;
  beforeAll(async () => {
    project = await mkdtemp(join(folder, 'project-'));
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    const packages = [tarball, `@trpc/client@${version}`, `@trpc/server@${version}`];
    // Not the peer dependencies of tRPC: the compiler is that of this repository.
    await run('npm', ['install', '--omit=peer', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: project });
  });

  test.each(['browser', 'node'] as const)('compiles for %s with strict options, and the types of all packages too', async (platform) => {
    await writeFile(join(project, 'tsconfig.json'), tsconfig(platform, { skipLibCheck: false }));
    await writeFile(join(project, 'readme.ts'), readmeDeclarations + (await readReadmeProgram('ts')));
    expect(await compile(project)).toBe('');
  });

  test('runs the program of the README in Node', async () => {
    await writeFile(join(project, 'run.mts'), program);
    const { email, federalTaxId } = world.newPerson();
    const { stdout } = await run(process.execPath, [join(project, 'run.mts'), JSON.stringify({ email, federalTaxId })]);
    const printed = JSON.parse(stdout) as { shown: string[] };
    expect(printed).toMatchObject({
      total: 1,
      cursor: expect.stringMatching(/./),
      first: true,
      code: 'ORGANIZATION_NOT_FOUND',
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      isError: true,
      bytes: 300_009,
      linked: 1,
      user: true,
      refused: { name: 'ProfileError', code: 'TOKEN_FAILED' },
      message: expect.stringMatching(/^The token could not be obtained: http.* responded with 401/),
    });
    expect(printed.shown).toEqual(
      expect.arrayContaining([
        'Vale Verde',
        expect.stringMatching(/^organization.updated /),
        '300009 of 300009 bytes',
        'statute.pdf, 300009 bytes',
      ]),
    );
    expect(printed.shown.filter((text) => text.endsWith('of 300009 bytes')).length).toBeGreaterThan(2);
  });
});
