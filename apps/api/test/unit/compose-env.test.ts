import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../support/project-files.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-service-compose-env-'));
  file = join(folder, 'production.env');
});
afterEach(() => rm(folder, { recursive: true }));

const write = (...settings: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'scripts/compose-env.mjs'), '--file', file, ...settings]);

const onlyAllowed = 'may contain only letters, digits, . _ ~ : / @ , + = - and spaces between them';
const onlyInUrl = 'is a part of a URL: it may contain only the letters A to Z, digits and . _ ~ -';

test.each([
  ['UNKNOWN=1', 'UNKNOWN is no setting of .env.example'],
  ['PUBLIC_URL', 'PUBLIC_URL has no value: write PUBLIC_URL=value'],
  ...['a"b', 'a$b', "a'\n#\\b", ' a'].map((value) => [`WEB_URL=${value}`, `WEB_URL ${onlyAllowed}`]),
  ...['a/b', 'ç'].map((value) => [`DATABASE_PASSWORD=${value}`, `DATABASE_PASSWORD ${onlyInUrl}`]),
] as [string, string][])('compose:env rejects %j and writes nothing', async (setting, message) => {
  await expect(write(setting)).rejects.toMatchObject({ code: 1, stderr: `${message}\n` });
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('compose:env writes new secrets and the given settings for production, and keeps an existing file', async () => {
  const given = { PUBLIC_URL: 'https://profile.example.com', BOOTSTRAP_GLOBAL_NAME: 'Jose\u0301 da Conceição', SMTP_PASSWORD: 'BKx+9/a=' };
  const { stdout } = await write(...Object.entries(given).map(([name, value]) => `${name}=${value}`));
  const toReview = 'WEB_URL, IDENTITY_URL, BOOTSTRAP_GLOBAL_EMAIL, BOOTSTRAP_GLOBAL_TAX_ID, SMTP_HOST, SMTP_PORT, SMTP_FROM, ';
  expect(stdout).toContain(`${file} has new secrets. Check these settings, which have the values of .env.example: ${toReview}`);
  const text = await readFile(file, 'utf8');
  const { SMTP_PASSWORD, ...settings } = parseEnv(text);
  expect({ SMTP_PASSWORD, ...settings }).toMatchObject({ NODE_ENV: 'production', ...given });
  expect(text).not.toContain('dev-only-');
  const secrets = Object.entries(settings).flatMap(([name, value]) => (/PASSWORD|SECRET/.test(name) ? [value] : []));
  expect(new Set(secrets).size).toBe(secrets.length);
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{48}$/);
  expect(settings['WEBHOOK_ENCRYPTION_KEY']).toMatch(/^[\w+/]{43}=$/);

  await expect(write()).rejects.toMatchObject({ code: 1, stderr: `${file} exists: move it away first\n` });
  expect(await readFile(file, 'utf8')).toBe(text);
});
