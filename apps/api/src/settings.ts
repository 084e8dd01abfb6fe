import { Cpf, Email, Name } from '@profile-service/contracts';
import { z } from 'zod';
import { dataShape, parseSettings, type Variables } from '@profile-service/operations/settings';
import { findStorageErrors, type StorageSettings } from '@profile-service/storage';
import { parseAllowedHosts } from '@profile-service/webhooks';
import { readTrustProxy } from './request/limits/trust-proxy.ts';
import { tracingShape } from './observability/tracing/settings.ts';
import { findTimeoutErrors, timeoutShape } from './service/timeout-settings.ts';

const url = z.url({ protocol: /^https?$/ });
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });
const port = z.coerce.number().int().min(0).max(65_535);
const perSecond = z.coerce.number().int().min(0).max(1_000_000);
const concurrency = z.coerce.number().int().min(0).max(10_000);
const days = z.coerce.number().int().min(1).max(36_500);

/** Values of CORS_ORIGINS for every port of this machine, with the origins that they allow. For frontends in development; NODE_ENV=production rejects them. */
const localhostOrigins = {
  'http://localhost:*': /^http:\/\/localhost(:\d{1,5})?$/,
  'http://127.0.0.1:*': /^http:\/\/127\.0\.0\.1(:\d{1,5})?$/,
} as const;
const localhostOrigin = z.enum(['http://localhost:*', 'http://127.0.0.1:*']).transform((text) => localhostOrigins[text]);

/** The names of the settings are public: describe each change in the changelog. apps/api/reference/setting-groups.ts describes each setting. */
export const settingsSchema = z.object({
  ...dataShape,

  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  MANAGEMENT_PORT: port.optional(),
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
  PUBLIC_URL: url.optional(),
  CORS_ORIGINS: z
    .string()
    .transform((text) => text.split(',').map((origin) => origin.trim()))
    .pipe(z.array(z.union([z.literal('*'), localhostOrigin, url.regex(/^[^*]*$/).transform((address) => new URL(address).origin)])))
    .optional(),
  TRUST_PROXY: z
    .string()
    .transform((text, { addIssue }) => {
      try {
        return readTrustProxy(text);
      } catch {
        addIssue('must be a number of proxies, or their addresses and networks');
        return z.NEVER;
      }
    })
    .optional(),
  RATE_LIMIT_ADDRESS_PER_SECOND: perSecond.default(2000),
  RATE_LIMIT_CALLER_PER_SECOND: perSecond.default(500),
  RATE_LIMIT_IDENTITY_PER_SECOND: perSecond.default(20),
  REQUEST_QUEUE_MAX: z.coerce.number().int().min(0).max(1_000_000).default(1000),
  REQUEST_QUEUE_DELAY_MS: z.coerce.number().int().min(1).max(5_000).default(250),
  UPLOADS_AT_ONCE_PER_TENANT: concurrency.default(20),
  DOWNLOADS_AT_ONCE_PER_TENANT: concurrency.default(50),
  EVENT_STREAMS_PER_TENANT: concurrency.default(50),
  EXPORTS_AT_ONCE: z.coerce.number().int().min(1).max(100).default(4),
  EXPORT_MAX_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),
  IMPORT_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1024 ** 3)
    .default(1024 ** 3),

  DATABASE_PREPARED_STATEMENTS: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(true),
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).max(1000).default(10),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  AUDIT_RETENTION_DAYS: days.default(365),

  IDENTITY_REALM_URL: url.regex(/\/realms\/[^/]+$/, 'must end in /realms/<realm>'),
  IDENTITY_AUTH_URL: url,
  IDENTITY_INTERNAL_URL: url.optional(),
  IDENTITY_CLIENT_ID: z.string(),
  IDENTITY_CLIENT_SECRET: z.string(),
  /** The value that tokens must have in `aud`, or `*` for any. */
  IDENTITY_AUDIENCE: z.string().optional(),
  /** The client and the redirect address behind the last page of the password mail. */
  IDENTITY_MAIL_CLIENT_ID: z.string().optional(),
  IDENTITY_MAIL_REDIRECT_URL: url.optional(),
  USER_CACHE_TTL_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),

  WEBHOOK_ENCRYPTION_KEY: z
    .string()
    .regex(/^[\w+/-]{43}=?$/, 'must be the base64 of 32 bytes')
    .transform((text) => Buffer.from(text, 'base64'))
    .optional(),
  WEBHOOK_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(60).default(15),
  WEBHOOK_CONCURRENCY: z.coerce.number().int().min(1).max(100).default(10),
  WEBHOOK_ALLOWED_HOSTS: z
    .string()
    .transform((text, { addIssue }) => {
      try {
        return parseAllowedHosts(text);
      } catch (error) {
        addIssue((error as Error).message);
        return z.NEVER;
      }
    })
    .optional(),

  ...timeoutShape,

  ...tracingShape,

  DOCS_CLIENT_ID: z.string().optional(),
  BOOTSTRAP_GLOBAL_EMAIL: Email.optional(),
  BOOTSTRAP_GLOBAL_NAME: Name.optional(),
  BOOTSTRAP_GLOBAL_TAX_ID: Cpf.optional(),
});

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(settingsSchema.shape);

export type Settings = z.output<typeof settingsSchema> & StorageSettings;

/** The value of IDENTITY_AUDIENCE that accepts tokens for any audience. */
export const anyAudience = '*';

/** Settings that are set together or not at all, by the beginning of their names. */
const groups = [
  ['BOOTSTRAP_', 'the first Global user needs all three'],
  ['IDENTITY_MAIL_', 'the link on the last page of the password mail needs both'],
] as const;

export interface ReadSettingsOptions {
  /** Whether IDENTITY_AUDIENCE is required, so that the service does not accept tokens for every client of the realm by mistake. */
  requireAudience?: boolean;
}

/**
 * Reads and validates the settings. An empty variable counts as absent.
 * @throws SettingsError with all errors (SETTINGS-1)
 */
export function readSettings(environment: Variables, { requireAudience = false }: ReadSettingsOptions = {}): Settings {
  return parseSettings(settingsSchema, environment, (variables) => [
    ...findStorageErrors(variables),
    ...findTimeoutErrors(variables),
    ...findIncompleteGroups(variables),
    ...(requireAudience && variables['IDENTITY_AUDIENCE'] === undefined
      ? [`IDENTITY_AUDIENCE is not set: name the audience that tokens must have, or ${anyAudience} to accept any`]
      : []),
    ...(variables['NODE_ENV'] === 'production' ? findLocalhostOrigins(variables) : []),
  ]) as Settings;
}

function findIncompleteGroups(variables: Variables): string[] {
  return groups.flatMap(([prefix, purpose]) => {
    const names = Object.keys(settingsSchema.shape).filter((name) => name.startsWith(prefix));
    const missing = names.filter((name) => variables[name] === undefined);
    if (missing.length === 0 || missing.length === names.length) return [];
    return [`${missing.join(', ')} must be set too: ${purpose}`];
  });
}

const findLocalhostOrigins = (variables: Variables): string[] =>
  Object.keys(localhostOrigins)
    .filter((pattern) => variables['CORS_ORIGINS']?.includes(pattern))
    .map((pattern) => `CORS_ORIGINS holds ${pattern}, which a production start refuses`);
