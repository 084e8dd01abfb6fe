import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../../../scripts/compose-env.mjs', import.meta.url));
const run = promisify(execFile);

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-service-compose-env-'));
  file = join(folder, 'production.env');
});
afterEach(() => rm(folder, { recursive: true }));

const write = (...settings: string[]) => run(process.execPath, [script, '--file', file, ...settings]);

test.each([
  [['UNKNOWN=1'], 'UNKNOWN is no setting of .env.example\n'],
  [['PUBLIC_URL'], 'PUBLIC_URL has no value: write PUBLIC_URL=value\n'],
  ...['a"b', 'a$b', 'a#b', 'a\\b', "a'b", 'a\nb', ' a', 'a '].map((value): [string[], string] => [
    [`WEB_URL=${value}`],
    'WEB_URL may contain only letters, digits, . _ ~ : / @ , + = - and spaces between them\n',
  ]),
  ...['a/b', 'a+b', 'ç', 'a b'].map((value): [string[], string] => [
    [`DATABASE_PASSWORD=${value}`],
    'DATABASE_PASSWORD is a part of a URL: it may contain only the letters A to Z, digits and . _ ~ -\n',
  ]),
])('compose:env rejects %j and writes nothing', async (settings, stderr) => {
  await expect(write(...settings)).rejects.toMatchObject({ code: 1, stderr });
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('compose:env writes new secrets and the given settings for production, and keeps an existing file', async () => {
  const { stdout } = await write('PUBLIC_URL=https://profile.example.com', 'API_REPLICAS=2');
  const review = [
    'WEB_URL, IDENTITY_URL, BOOTSTRAP_GLOBAL_EMAIL, BOOTSTRAP_GLOBAL_NAME, BOOTSTRAP_GLOBAL_TAX_ID',
    'SMTP_HOST, SMTP_PORT, SMTP_FROM, SMTP_STARTTLS, SMTP_AUTH, SMTP_USER',
  ].join(', ');
  expect(stdout).toBe(`${file} has new secrets. Check these settings, which have the values of .env.example: ${review}\n`);
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

test.each([
  ['BOOTSTRAP_GLOBAL_NAME', 'José da Silva'],
  ['BOOTSTRAP_GLOBAL_NAME', 'Jose\u0301 da Silva'],
  ['SMTP_PASSWORD', 'BKx+9/a='],
])('compose:env writes %s=%s as it is', async (name, value) => {
  await write(`${name}=${value}`);
  expect(parseEnv(await readFile(file, 'utf8'))[name]).toBe(value);
});
