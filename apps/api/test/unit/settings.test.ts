import { expect, test } from 'vitest';
import { SettingsError } from '@profile-service/operations/settings';
import { readSettings, type ReadSettingsOptions } from '../../src/settings.ts';

type Variables = Record<string, string | undefined>;

const s3 = {
  STORAGE_ENDPOINT: 'https://storage.example',
  STORAGE_BUCKET: 'profile',
  STORAGE_ACCESS_KEY_ID: 'key',
  STORAGE_SECRET_ACCESS_KEY: 'another-secret',
};
const complete = {
  DATABASE_URL: 'postgres://profile@localhost/profile',
  IDENTITY_REALM_URL: 'https://id.example/realms/profile',
  IDENTITY_AUTH_URL: 'https://id.example/realms/profile',
  IDENTITY_CLIENT_ID: 'profile-service',
  IDENTITY_CLIENT_SECRET: 'a-secret',
  ...s3,
};

/** The faults in the message, one per line, of these variables beside the required ones. */
function faultsOf(variables: Variables, options?: ReadSettingsOptions): string[] {
  try {
    readSettings({ ...complete, ...variables }, options);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const [, ...lines] = error.message.split('\n');
    return lines.map((line) => line.trim());
  }
}

// Rules: LIMITS-6, LIMITS-7
test('only the settings without a default are required', () => {
  // docs/run/settings.md has all defaults.
  const limits = { RATE_LIMIT_ADDRESS_PER_SECOND: 2000, RATE_LIMIT_CALLER_PER_SECOND: 500, RATE_LIMIT_IDENTITY_PER_SECOND: 20 };
  expect(readSettings(complete)).toMatchObject({ ...complete, ...limits });
});

// Rules: SETTINGS-1
// helm-chart.test.ts has the bounds of numbers.
test('all invalid settings are reported at once, without their values, which may be secrets', () => {
  const invalid = {
    DATABASE_URL: 'mysql://root:hunter2@db',
    IDENTITY_CLIENT_ID: undefined,
    IDENTITY_CLIENT_SECRET: '',
    PORT: '70000',
    LOG_LEVEL: 'loud',
    IDENTITY_REALM_URL: 'https://id.example',
    STORAGE_FORCE_PATH_STYLE: 'yes',
    STORAGE_BASE_PATH: '../files',
    DATABASE_DIRECT_URL: 'https://postgres.example',
    DATABASE_PREPARED_STATEMENTS: 'no',
    STORAGE_TIMEOUT_SECONDS: 'long',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://collector',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_SDK_DISABLED: 'yes',
    OTEL_TRACES_SAMPLER: 'often',
    OTEL_TRACES_SAMPLER_ARG: '10',
    WEBHOOK_ENCRYPTION_KEY: 'c2hvcnQ=',
    WEBHOOK_ALLOWED_HOSTS: '10.0.0.0/33',
    EVENT_STREAMS_PER_TENANT: '1.5',
    DATABASE_CA_FILE: '/nowhere/ca.pem',
    CORS_ORIGINS: 'https://web.example, web',
    RATE_LIMIT_IDENTITY_PER_SECOND: '0.5',
    BOOTSTRAP_GLOBAL_EMAIL: 'no mail',
    BOOTSTRAP_GLOBAL_TAX_ID: '11111111111',
  };
  const faults = faultsOf(invalid);
  const names = faults.map((fault) => fault.split(/[ :,]/)[0]);
  expect(names.toSorted()).toEqual([...Object.keys(invalid), 'BOOTSTRAP_GLOBAL_NAME'].toSorted());
  expect(faults).toEqual(expect.arrayContaining(['IDENTITY_CLIENT_ID is not set', 'IDENTITY_CLIENT_SECRET is not set']));
  expect(faults.join()).not.toContain('hunter2');
});

/** Unsets all settings of S3. */
const noBucket = Object.fromEntries(Object.keys(s3).map((name) => [name, undefined]));
const folder = { ...noBucket, STORAGE_DIR: '/srv/files/' };
const mailLink = { IDENTITY_MAIL_CLIENT_ID: 'web', IDENTITY_MAIL_REDIRECT_URL: 'https://app.example.com/' };
const globalUser = { BOOTSTRAP_GLOBAL_EMAIL: ' Ana@Example.com', BOOTSTRAP_GLOBAL_NAME: 'Ana', BOOTSTRAP_GLOBAL_TAX_ID: '52998224725' };
const developmentSecrets = {
  IDENTITY_CLIENT_SECRET: 'dev-only-profile-service',
  DATABASE_URL: 'postgres://x:dev-only-database@db/profile',
};
const localhostOrigins = { CORS_ORIGINS: 'http://localhost:*, http://127.0.0.1:*, https://web.example' };
/** The largest file that S3 can copy in one request. */
const fiveGib = 5 * 1024 ** 3;

test.each<[Variables, object]>([
  [{ HTTP_REQUEST_TIMEOUT_SECONDS: '10' }, { HTTP_REQUEST_TIMEOUT_SECONDS: 10 }],
  [
    { ...folder, STORAGE_BASE_PATH: '/profile/files/' },
    { STORAGE_DIR: '/srv/files', STORAGE_BASE_PATH: 'profile/files' },
  ],
  [{ ATTACHMENT_MAX_BYTES: String(fiveGib) }, { ATTACHMENT_MAX_BYTES: fiveGib }],
  [developmentSecrets, developmentSecrets],
  [mailLink, mailLink],
  [globalUser, { BOOTSTRAP_GLOBAL_EMAIL: 'ana@example.com' }],
  [{ CORS_ORIGINS: 'https://Web.example/, http://localhost:5173' }, { CORS_ORIGINS: ['https://web.example', 'http://localhost:5173'] }],
  [localhostOrigins, { CORS_ORIGINS: [expect.any(RegExp), expect.any(RegExp), 'https://web.example'] }],
  // The development key is base64 too.
  [
    { WEBHOOK_ENCRYPTION_KEY: 'dev-only-webhook-encryption-key-00000000000' },
    { WEBHOOK_ENCRYPTION_KEY: expect.objectContaining({ length: 32 }) },
  ],
  ...['1', '10.0.0.0/8', 'loopback, 203.0.113.7', 'uniquelocal,2001:db8::/32'].map((TRUST_PROXY): [Variables, object] => [
    { TRUST_PROXY },
    { TRUST_PROXY: expect.any(Function) },
  ]),
])('the settings %j are accepted, and read as %j', (variables, expected) => {
  expect(readSettings({ ...complete, ...variables })).toMatchObject(expected);
});

const noStorage = 'STORAGE_ENDPOINT, STORAGE_BUCKET, STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY or STORAGE_DIR is not set';
const production = { NODE_ENV: 'production' };
const refusedIn = (setting: string, value: string) => `${setting} holds ${value}, which a production start refuses`;
const rejected = (variables: Variables, ...faults: string[]): [Variables, string[]] => [variables, faults];

test.each<[Variables, faults: string[]]>([
  rejected(
    { HTTP_HEADERS_TIMEOUT_SECONDS: '31', HTTP_REQUEST_TIMEOUT_SECONDS: '30' },
    'HTTP_HEADERS_TIMEOUT_SECONDS (31) must not be longer than HTTP_REQUEST_TIMEOUT_SECONDS (30)',
  ),
  rejected(
    { STORAGE_CONNECT_TIMEOUT_SECONDS: '11' },
    'STORAGE_CONNECT_TIMEOUT_SECONDS (11) must not be longer than STORAGE_TIMEOUT_SECONDS (10)',
  ),
  rejected(noBucket, noStorage),
  rejected({ ...noBucket, STORAGE_REGION: 'sa-east-1', STORAGE_BASE_PATH: 'files' }, noStorage),
  ...Object.keys(s3).map((name) => rejected({ [name]: undefined }, `${name} is not set`)),
  ...Object.entries({ ...s3, STORAGE_REGION: 'sa-east-1', STORAGE_FORCE_PATH_STYLE: 'false' }).map(([name, value]) =>
    rejected({ ...folder, [name]: value }, `STORAGE_DIR and ${name} are set: choose a folder or S3, not both`),
  ),
  rejected({ ATTACHMENT_MAX_BYTES: String(fiveGib + 1) }, 'ATTACHMENT_MAX_BYTES: '),
  // All faults are named together.
  rejected(
    { ...developmentSecrets, ...production, STORAGE_BUCKET: '' },
    'STORAGE_BUCKET is not set',
    ...['DATABASE_URL', 'IDENTITY_CLIENT_SECRET'].map((name) => refusedIn(name, 'a development secret')),
  ),
  rejected(
    { ...localhostOrigins, ...production },
    ...['http://localhost:*', 'http://127.0.0.1:*'].map((text) => refusedIn('CORS_ORIGINS', text)),
  ),
  ...['http://web.example:*', 'https://localhost:*', 'http://*.localhost', 'http://localhost*'].map((CORS_ORIGINS) =>
    rejected({ CORS_ORIGINS }, 'CORS_ORIGINS: '),
  ),
  ...['true', '-1', '1.5', '10.0.0.0/33', 'proxy.example', '10.0.0.1,', '*'].map((TRUST_PROXY) =>
    rejected({ TRUST_PROXY }, 'TRUST_PROXY: must be a number of proxies'),
  ),
  // These are set together or not at all.
  ...Object.keys(mailLink).map((name) => rejected({ ...mailLink, [name]: undefined }, name)),
])('the settings %j are rejected: %j', (variables, faults) => {
  expect(faultsOf(variables)).toEqual(faults.map((fault) => expect.stringContaining(fault)));
});

test.each([undefined, ''])('the production entry requires IDENTITY_AUDIENCE, whatever NODE_ENV says: %j', (IDENTITY_AUDIENCE) => {
  const fault = 'IDENTITY_AUDIENCE is not set: name the audience that tokens must have, or * to accept any';
  expect(faultsOf({ IDENTITY_AUDIENCE }, { requireAudience: true })).toEqual([fault]);
  expect(faultsOf({ IDENTITY_AUDIENCE })).toEqual([]);
  for (const audience of ['profile-service', '*']) expect(faultsOf({ IDENTITY_AUDIENCE: audience }, { requireAudience: true })).toEqual([]);
});
