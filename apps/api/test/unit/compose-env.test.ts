import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../../scripts/compose-env.mjs', import.meta.url));
const run = promisify(execFile);

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-service-compose-env-'));
  file = join(folder, 'production.env');
});
afterAll(() => rm(folder, { recursive: true }));

const write = (...settings: string[]) => run(process.execPath, [script, '--file', file, ...settings]);

test.each([
  [['UNKNOWN=1'], 'UNKNOWN is no setting of .env.example\n'],
  [['WEB_URL=a"b'], 'WEB_URL may contain only letters, digits, spaces and . _ ~ : / @ , -\n'],
])('compose:env rejects %j and writes nothing', async (settings, stderr) => {
  await expect(write(...settings)).rejects.toMatchObject({ code: 1, stderr });
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('compose:env writes new secrets and the given settings for production, and keeps an existing file', async () => {
  const { stdout } = await write('PUBLIC_URL=https://profile.example.com', 'API_REPLICAS=2');
  expect(stdout).toContain('WEB_URL, IDENTITY_URL');
  expect(stdout).not.toContain('PUBLIC_URL');
  const text = await readFile(file, 'utf8');
  const settings = parseEnv(text);
  expect(settings).toMatchObject({ NODE_ENV: 'production', PUBLIC_URL: 'https://profile.example.com', API_REPLICAS: '2' });
  expect(text).not.toContain('dev-only-');
  const secrets = Object.entries(settings).filter(([name]) => /PASSWORD|SECRET/.test(name));
  expect(new Set(secrets.map(([, value]) => value)).size).toBe(secrets.length);
  for (const [, value] of secrets) expect(value).toMatch(/^[0-9a-f]{48}$/);

  await expect(write()).rejects.toMatchObject({ code: 1, stderr: `${file} exists: move it away first\n` });
  expect(await readFile(file, 'utf8')).toBe(text);
});
