import { describe, expect, test } from 'vitest';
import { SettingsError } from '@profile-service/operations/settings';
import { readSettings, type ReadSettingsOptions } from '../../src/settings.ts';

const complete = {
  DATABASE_URL: 'postgres://profile@localhost/profile',
  IDENTITY_REALM_URL: 'https://id.example/realms/profile',
  IDENTITY_AUTH_URL: 'https://id.example/realms/profile',
  IDENTITY_CLIENT_ID: 'profile-service',
  IDENTITY_CLIENT_SECRET: 'a-secret',
  STORAGE_ENDPOINT: 'https://storage.example',
  STORAGE_BUCKET: 'profile',
  STORAGE_ACCESS_KEY_ID: 'key',
  STORAGE_SECRET_ACCESS_KEY: 'another-secret',
};

/** The faults in the message, one per line. */
function faultsOf(environment: Record<string, string | undefined>, options?: ReadSettingsOptions): string[] {
  try {
    readSettings(environment, options);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}

// Rules: LIMITS-6, LIMITS-7
test('only the settings without a default are required', () => {
  expect(readSettings(complete)).toEqual({
    ...complete,
    NODE_ENV: 'development',
    PORT: 3000,
    HOST: '0.0.0.0',
    LOG_LEVEL: 'info',
    RATE_LIMIT_ADDRESS_PER_SECOND: 2000,
    RATE_LIMIT_CALLER_PER_SECOND: 500,
    RATE_LIMIT_IDENTITY_PER_SECOND: 20,
    REQUEST_QUEUE_MAX: 1000,
    REQUEST_QUEUE_DELAY_MS: 250,
    UPLOADS_AT_ONCE_PER_TENANT: 20,
    DOWNLOADS_AT_ONCE_PER_TENANT: 50,
    DATABASE_POOL_MAX: 10,
    DATABASE_PREPARED_STATEMENTS: true,
    AUDIT_RETENTION_DAYS: 365,
    EVENT_RETENTION_DAYS: 30,
    SHUTDOWN_DELAY_SECONDS: 0,
    SHUTDOWN_TIMEOUT_SECONDS: 10,
    HTTP_HEADERS_TIMEOUT_SECONDS: 10,
    HTTP_REQUEST_TIMEOUT_SECONDS: 60,
    HTTP_KEEP_ALIVE_TIMEOUT_SECONDS: 65,
    DATABASE_POOL_TIMEOUT_SECONDS: 5,
    DATABASE_STATEMENT_TIMEOUT_SECONDS: 10,
    REDIS_TIMEOUT_MILLISECONDS: 250,
    IDENTITY_TIMEOUT_SECONDS: 5,
    STORAGE_CONNECT_TIMEOUT_SECONDS: 2,
    STORAGE_TIMEOUT_SECONDS: 10,
    STORAGE_POOL_MAX: 200,
    STORAGE_DOWNLOAD_POOL_MAX: 1_000,
    USER_CACHE_TTL_SECONDS: 300,
    STORAGE_REGION: 'us-east-1',
    STORAGE_FORCE_PATH_STYLE: true,
    STORAGE_BASE_PATH: 'attachments',
    ATTACHMENT_MAX_BYTES: 25 * 1024 * 1024,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_SDK_DISABLED: 'false',
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_TRACES_SAMPLER_ARG: 1,
    OTEL_BSP_SCHEDULE_DELAY: 5_000,
    OTEL_BSP_MAX_QUEUE_SIZE: 8_192,
  });
});

// Rules: SETTINGS-1
test('all invalid settings are reported at once', () => {
  const invalid = {
    DATABASE_URL: undefined,
    IDENTITY_CLIENT_SECRET: '',
    PORT: '70000',
    LOG_LEVEL: 'loud',
    IDENTITY_REALM_URL: 'https://id.example',
    STORAGE_FORCE_PATH_STYLE: 'yes',
    STORAGE_BASE_PATH: '../files',
    ATTACHMENT_MAX_BYTES: '0',
    DATABASE_POOL_MAX: '1',
    DATABASE_DIRECT_URL: 'https://postgres.example',
    DATABASE_PREPARED_STATEMENTS: 'no',
    SHUTDOWN_TIMEOUT_SECONDS: '4',
    HTTP_HEADERS_TIMEOUT_SECONDS: '0',
    HTTP_REQUEST_TIMEOUT_SECONDS: '120',
    HTTP_KEEP_ALIVE_TIMEOUT_SECONDS: '0',
    DATABASE_POOL_TIMEOUT_SECONDS: '0',
    DATABASE_STATEMENT_TIMEOUT_SECONDS: '61',
    REDIS_TIMEOUT_MILLISECONDS: '2000',
    IDENTITY_TIMEOUT_SECONDS: '60',
    STORAGE_CONNECT_TIMEOUT_SECONDS: '0',
    STORAGE_TIMEOUT_SECONDS: 'long',
    STORAGE_POOL_MAX: '0',
    STORAGE_DOWNLOAD_POOL_MAX: '0',
    AUDIT_RETENTION_DAYS: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://collector',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_SDK_DISABLED: 'yes',
    OTEL_TRACES_SAMPLER: 'often',
    OTEL_TRACES_SAMPLER_ARG: '10',
    OTEL_BSP_SCHEDULE_DELAY: '0',
    OTEL_BSP_MAX_QUEUE_SIZE: '1',
    EVENT_RETENTION_DAYS: '1.5',
    USER_CACHE_TTL_SECONDS: '1.5',
    DATABASE_CA_FILE: '/nowhere/ca.pem',
    CORS_ORIGINS: 'https://web.example, web',
    TRUST_PROXY: 'true',
    RATE_LIMIT_ADDRESS_PER_SECOND: '-1',
    RATE_LIMIT_CALLER_PER_SECOND: 'many',
    RATE_LIMIT_IDENTITY_PER_SECOND: '0.5',
    UPLOADS_AT_ONCE_PER_TENANT: '-1',
    DOWNLOADS_AT_ONCE_PER_TENANT: 'all',
    BOOTSTRAP_GLOBAL_EMAIL: 'no mail',
    BOOTSTRAP_GLOBAL_TAX_ID: '11111111111',
  };
  const faults = faultsOf({ ...complete, ...invalid });
  const names = faults.map((fault) => fault.split(/[ :,]/)[0]);
  expect(names.toSorted()).toEqual([...Object.keys(invalid), 'BOOTSTRAP_GLOBAL_NAME'].toSorted());
  expect(faults).toContain('DATABASE_URL is not set');
  expect(faults).toContain('IDENTITY_CLIENT_SECRET is not set');
});

describe('timeouts that do not work together are rejected:', () => {
  test.each([
    [
      { HTTP_HEADERS_TIMEOUT_SECONDS: '31', HTTP_REQUEST_TIMEOUT_SECONDS: '30' },
      'HTTP_HEADERS_TIMEOUT_SECONDS (31) must not be longer than HTTP_REQUEST_TIMEOUT_SECONDS (30): the headers are a part of the request',
    ],
    [
      { HTTP_REQUEST_TIMEOUT_SECONDS: '9' },
      'HTTP_HEADERS_TIMEOUT_SECONDS (10) must not be longer than HTTP_REQUEST_TIMEOUT_SECONDS (9): the headers are a part of the request',
    ],
    [
      { STORAGE_CONNECT_TIMEOUT_SECONDS: '11' },
      'STORAGE_CONNECT_TIMEOUT_SECONDS (11) must not be longer than STORAGE_TIMEOUT_SECONDS (10): a request to the storage includes the connection',
    ],
  ])('%j', (variables, fault) => {
    expect(faultsOf({ ...complete, ...variables })).toEqual([fault]);
  });

  test('equal ones are accepted', () => {
    expect(faultsOf({ ...complete, HTTP_REQUEST_TIMEOUT_SECONDS: '10', STORAGE_TIMEOUT_SECONDS: '2' })).toEqual([]);
  });
});

test('no fault contains a value, which may be a secret', () => {
  expect(faultsOf({ ...complete, DATABASE_URL: 'mysql://root:hunter2@db' }).join()).not.toContain('hunter2');
});

describe('the object storage', () => {
  const { STORAGE_ENDPOINT, STORAGE_BUCKET, STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY, ...others } = complete;
  const s3 = { STORAGE_ENDPOINT, STORAGE_BUCKET, STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY };

  test('is a folder if STORAGE_DIR is set', () => {
    expect(readSettings({ ...others, STORAGE_DIR: '/srv/files/' }).STORAGE_DIR).toBe('/srv/files');
  });

  test('must be set', () => {
    const fault = 'STORAGE_ENDPOINT, STORAGE_BUCKET, STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY or STORAGE_DIR is not set';
    expect(faultsOf(others)).toEqual([fault]);
    expect(faultsOf({ ...others, STORAGE_REGION: 'sa-east-1', STORAGE_BASE_PATH: 'files' })).toEqual([fault]);
  });

  test.each(Object.keys(s3))('on S3 requires %s', (name) => {
    expect(faultsOf({ ...complete, [name]: undefined })).toEqual([`${name} is not set`]);
  });

  test.each(Object.entries({ ...s3, STORAGE_REGION: 'sa-east-1', STORAGE_FORCE_PATH_STYLE: 'false' }))(
    'cannot be a folder if %s is set',
    (name, value) => {
      const faults = faultsOf({ ...others, STORAGE_DIR: '/srv/files', [name]: value });
      expect(faults).toEqual([`STORAGE_DIR and ${name} are set: choose a folder or S3, not both`]);
    },
  );

  test('in a folder can have a base path and a size limit', () => {
    const folder = { ...others, STORAGE_DIR: '/srv/files', STORAGE_BASE_PATH: 'files', ATTACHMENT_MAX_BYTES: '1000' };
    expect(readSettings(folder)).toMatchObject({ STORAGE_BASE_PATH: 'files', ATTACHMENT_MAX_BYTES: 1000 });
  });
});

describe('a development secret', () => {
  const given = {
    ...complete,
    IDENTITY_CLIENT_SECRET: 'dev-only-profile-service',
    DATABASE_URL: 'postgres://x:dev-only-database@db/profile',
  };

  test('is accepted in development', () => {
    expect(faultsOf(given)).toEqual([]);
  });

  test('is rejected in production, in any setting and together with other faults', () => {
    expect(faultsOf({ ...given, NODE_ENV: 'production', STORAGE_BUCKET: '' })).toEqual([
      'STORAGE_BUCKET is not set',
      'DATABASE_URL holds a development secret, which a production start refuses',
      'IDENTITY_CLIENT_SECRET holds a development secret, which a production start refuses',
    ]);
  });
});

describe('IDENTITY_AUDIENCE', () => {
  const faults = (audience: string | undefined, options?: ReadSettingsOptions) =>
    faultsOf({ ...complete, IDENTITY_AUDIENCE: audience }, options);

  test.each([undefined, ''])('%j is rejected by the production entry, whatever NODE_ENV says', (audience) => {
    const fault = 'IDENTITY_AUDIENCE is not set: name the audience that tokens must have, or * to accept any';
    expect(faults(audience, { requireAudience: true })).toEqual([fault]);
    expect(faults(audience)).toEqual([]);
  });

  test.each(['profile-service', '*'])('%j is accepted by the production entry', (audience) => {
    expect(faults(audience, { requireAudience: true })).toEqual([]);
  });
});

test('CORS_ORIGINS: origins are normalized', () => {
  const { CORS_ORIGINS } = readSettings({ ...complete, CORS_ORIGINS: 'https://Web.example/, http://localhost:5173' });
  expect(CORS_ORIGINS).toEqual(['https://web.example', 'http://localhost:5173']);
});

describe('CORS_ORIGINS with the ports of localhost', () => {
  const value = 'http://localhost:*, http://127.0.0.1:*, https://web.example';

  test('is accepted in development', () => {
    expect(readSettings({ ...complete, CORS_ORIGINS: value }).CORS_ORIGINS).toEqual([
      expect.any(RegExp),
      expect.any(RegExp),
      'https://web.example',
    ]);
  });

  test('is rejected in production, and names each pattern', () => {
    const faults = ['http://localhost:*', 'http://127.0.0.1:*'].map(
      (text) => `CORS_ORIGINS holds ${text}, which a production start refuses`,
    );
    expect(faultsOf({ ...complete, NODE_ENV: 'production', CORS_ORIGINS: value })).toEqual(faults);
  });

  test.each(['http://web.example:*', 'https://localhost:*', 'http://*.localhost', 'http://localhost*'])('%s is rejected', (text) => {
    expect(faultsOf({ ...complete, CORS_ORIGINS: text })).toEqual([expect.stringMatching(/^CORS_ORIGINS: /)]);
  });
});

test.each(['1', '2', '10.0.0.0/8', 'loopback, 203.0.113.7', 'uniquelocal,2001:db8::/32'])(
  'TRUST_PROXY is a number of proxies or a list of addresses: %s',
  (text) => {
    expect(readSettings({ ...complete, TRUST_PROXY: text }).TRUST_PROXY).toBeTypeOf('function');
  },
);

test.each(['true', '-1', '1.5', '10.0.0.0/33', 'proxy.example', '10.0.0.1,', '*'])('TRUST_PROXY is rejected if it is %s', (text) => {
  expect(faultsOf({ ...complete, TRUST_PROXY: text })).toEqual([expect.stringMatching(/^TRUST_PROXY: must be a number of proxies/)]);
});

test('STORAGE_BASE_PATH loses its first and last slash', () => {
  expect(readSettings({ ...complete, STORAGE_BASE_PATH: '/profile/files/' }).STORAGE_BASE_PATH).toBe('profile/files');
});

test('ATTACHMENT_MAX_BYTES is at most 5 GiB, which S3 can copy in one request', () => {
  const limit = 5 * 1024 ** 3;
  expect(faultsOf({ ...complete, ATTACHMENT_MAX_BYTES: String(limit) })).toEqual([]);
  expect(faultsOf({ ...complete, ATTACHMENT_MAX_BYTES: String(limit + 1) })).toHaveLength(1);
});

test('the settings of the link in the password mail are set together or not at all', () => {
  const link = { IDENTITY_MAIL_CLIENT_ID: 'web', IDENTITY_MAIL_REDIRECT_URL: 'https://app.example.com/' };
  expect(readSettings({ ...complete, ...link })).toMatchObject(link);
  for (const name of Object.keys(link))
    expect(faultsOf({ ...complete, ...link, [name]: undefined })).toEqual([expect.stringContaining(name)]);
});

test('the settings of the first Global user are set together or not at all', () => {
  const person = { BOOTSTRAP_GLOBAL_EMAIL: ' Ana@Example.com', BOOTSTRAP_GLOBAL_NAME: 'Ana', BOOTSTRAP_GLOBAL_TAX_ID: '52998224725' };
  expect(readSettings({ ...complete, ...person }).BOOTSTRAP_GLOBAL_EMAIL).toBe('ana@example.com');
  expect(faultsOf({ ...complete, ...person, BOOTSTRAP_GLOBAL_NAME: undefined })).toHaveLength(1);
});
