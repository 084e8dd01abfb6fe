import type { settingsSchema } from '../src/settings.ts';

type Name = keyof typeof settingsSchema.shape;

export interface SettingsGroup {
  title: string;
  /** Markdown above the table. */
  introduction?: string;
  /** Markdown, with links relative to `docs`. */
  meanings: Partial<Record<Name, string>>;
}

/** Defaults that do not follow from the schema. */
export const documentedDefaults: Partial<Record<Name, string>> = {
  NODE_ENV: '`development`; `production` in the image',
  PUBLIC_URL: '`http://localhost:<PORT>`',
  CORS_ORIGINS: 'none; every port of this machine with `npm start`',
  DATABASE_DIRECT_URL: '`DATABASE_URL`',
  IDENTITY_AUDIENCE: 'required, except by `npm start`',
  WEBHOOK_ENCRYPTION_KEY: 'none; `npm start` creates one',
  WEBHOOK_ALLOWED_HOSTS: 'none; `localhost` with `npm start`',
  STORAGE_ENDPOINT: 'required without `STORAGE_DIR`',
  STORAGE_BUCKET: 'required without `STORAGE_DIR`',
  STORAGE_ACCESS_KEY_ID: 'required without `STORAGE_DIR`',
  STORAGE_SECRET_ACCESS_KEY: 'required without `STORAGE_DIR`',
  OTEL_SERVICE_NAME: '`profile-service`',
};

/** What docs/run/settings.md says about each setting. */
export const groups: SettingsGroup[] = [
  {
    title: 'Server',
    meanings: {
      NODE_ENV: '`production` rejects the secrets of `.env.example`',
      HOST: 'address on which the service listens',
      PORT: 'port of the service',
      MANAGEMENT_PORT: 'second port for `/metrics` and `/health/*`; keep it private',
      SHUTDOWN_DELAY_SECONDS: 'seconds that a stopping instance is not ready and still accepts requests',
      PUBLIC_URL: 'address for clients: server of the OpenAPI document, links to error pages; may contain a path',
      CORS_ORIGINS:
        'origins of browser frontends, comma-separated; `*` for all. For development only: `http://localhost:*` and `http://127.0.0.1:*` for every port of this machine. `NODE_ENV=production` rejects these two.',
      TRUST_PROXY: 'proxies whose `X-Forwarded-For` counts ([below](#trust_proxy))',
      LOG_LEVEL: 'entries below this level are not logged',
      DOCS_CLIENT_ID: 'public client for the login in `/docs`, with `<PUBLIC_URL>/docs` as redirect URI; without it, users paste a token',
    },
  },
  {
    title: 'Limits',
    introduction: '[Limits](limits.md) describes how they work.',
    meanings: {
      RATE_LIMIT_CALLER_PER_SECOND: 'requests per second of one user or application; 0 for no limit',
      RATE_LIMIT_ADDRESS_PER_SECOND: 'requests per second from one address; 0 for no limit',
      RATE_LIMIT_IDENTITY_PER_SECOND: 'user creations per second of one user or application; 0 for no limit',
      REQUEST_QUEUE_MAX: 'requests per process that wait for a database slot; further ones return 503; 0 for no limit',
      REQUEST_QUEUE_DELAY_MS: 'wait for a database slot in an overload, in milliseconds; requests that would wait longer return 503',
      UPLOADS_AT_ONCE_PER_TENANT: 'concurrent uploads per tenant and process, about 5 MiB of memory each; 0 for no limit',
      DOWNLOADS_AT_ONCE_PER_TENANT: 'concurrent downloads per tenant and process; 0 for no limit',
      EXPORTS_AT_ONCE: 'concurrent exports per process, each on a database connection of its own; a tenant has at most half of them',
      IMPORT_MAX_BYTES: 'size limit of the file of an import, in bytes; default 1 GiB',
      EXPORT_MAX_SECONDS: 'how long an export may take, and hold its snapshot of the database, in seconds; then the connection breaks',
      EVENT_STREAMS_PER_TENANT: 'open [event streams](../specification/events.md#streams) per tenant and process; 0 for no limit',
      ATTACHMENT_MAX_BYTES: 'largest file in bytes',
    },
  },
  {
    title: 'Database and cache',
    meanings: {
      DATABASE_URL: '`postgres://user:password@host:port/database`',
      DATABASE_DIRECT_URL:
        'address of PostgreSQL for LISTEN, jobs and migrations, if `DATABASE_URL` leads to [PgBouncer](scaling.md#pgbouncer)',
      DATABASE_REPLICA_URL: 'streaming replica of the database for reads ([read replicas](scaling.md#read-replicas))',
      DATABASE_PREPARED_STATEMENTS: '`false`: do not use named prepared statements, for connection poolers that do not carry them',
      DATABASE_POOL_MAX:
        'connections per process for requests, to each of `DATABASE_URL` and `DATABASE_REPLICA_URL`; jobs use up to 3 more, LISTEN one, readers that wait for events one',
      DATABASE_CA_FILE: 'PEM file with the CA of the server certificates of the database and its replica',
      REDIS_URL: 'shared caller cache and rate limits',
      AUDIT_RETENTION_DAYS:
        'days that entries of the [audit log and events](operation.md#audit-log-and-events) are kept, rounded up to whole months',
      USER_CACHE_TTL_SECONDS: 'lifetime of a cached caller; changes through the service apply at once',
    },
  },
  {
    title: 'Identity provider',
    meanings: {
      IDENTITY_REALM_URL: 'issuer of user tokens (`/api`), exact match; ends in `/realms/<realm>`; also the realm of the admin API',
      IDENTITY_AUTH_URL: 'issuer of application tokens (`/service`); may be the same',
      IDENTITY_AUDIENCE: 'audience that every token must contain; `*` accepts any',
      IDENTITY_CLIENT_ID: "the service's own client, for the admin API",
      IDENTITY_CLIENT_SECRET: 'secret of this client',
      IDENTITY_INTERNAL_URL:
        "address of keys and admin API if the service cannot reach the issuer's address ([details](keycloak.md#internal-and-public-address))",
      IDENTITY_MAIL_REDIRECT_URL: "address to which the last page of the password e-mail links, such as the frontend's",
      IDENTITY_MAIL_CLIENT_ID: 'client that allows this address as redirect URI; set both or none',
    },
  },
  {
    title: 'First Global user',
    introduction:
      'The service creates this user at start if there is no Global user ([specification](../specification/operation.md#first-global-user)). Set all three or none.',
    meanings: {
      BOOTSTRAP_GLOBAL_EMAIL: 'e-mail address, which is the login',
      BOOTSTRAP_GLOBAL_NAME: 'full name',
      BOOTSTRAP_GLOBAL_TAX_ID: 'CPF, 11 digits',
    },
  },
  {
    title: 'Storage',
    introduction:
      'Set `STORAGE_DIR` or the S3 settings. The service does not start with both or with neither. [Storage](storage.md) describes both kinds.',
    meanings: {
      STORAGE_DIR: 'existing folder for files',
      STORAGE_ENDPOINT: 'URL of an S3-compatible storage',
      STORAGE_BUCKET: 'bucket, which the service [creates](storage.md#s3-bucket) if it is missing',
      STORAGE_ACCESS_KEY_ID: 'key that may read, write, list and delete in the bucket',
      STORAGE_SECRET_ACCESS_KEY: 'secret of this key',
      STORAGE_REGION: 'region of the signature',
      STORAGE_FORCE_PATH_STYLE: '`true`: bucket in the path of the URL; `false`: in its host name',
      STORAGE_BASE_PATH: 'first part of every key, `{STORAGE_BASE_PATH}/{entityType}/{uuid}.{ext}`; use one per database',
    },
  },
  {
    title: 'Webhooks',
    meanings: {
      WEBHOOK_ENCRYPTION_KEY:
        'base64 of 32 random bytes, with which the secrets of webhooks are encrypted. Without it, creating a webhook returns 503. Keep it: with another key, the stored secrets cannot be read.',
      WEBHOOK_ALLOWED_HOSTS:
        'host names, IP addresses and CIDR ranges, comma-separated, to which webhooks may lead although they are not public, also with `http`',
      WEBHOOK_TIMEOUT_SECONDS: 'for a request to a webhook',
      WEBHOOK_CONCURRENCY: 'requests to one webhook at once',
    },
  },
  {
    title: 'Timeouts and pool limits',
    introduction:
      '[Limits](limits.md#timeouts-and-pool-limits) says what callers see. `DATABASE_POOL_MAX` is [above](#database-and-cache).',
    meanings: {
      HTTP_HEADERS_TIMEOUT_SECONDS: 'for the headers of a request; at most `HTTP_REQUEST_TIMEOUT_SECONDS`',
      HTTP_REQUEST_TIMEOUT_SECONDS: 'for a client to send a whole request, except an upload',
      HTTP_KEEP_ALIVE_TIMEOUT_SECONDS:
        'for an idle connection of a client; set it higher than the idle timeout of the load balancer in front',
      SHUTDOWN_TIMEOUT_SECONDS: 'for a stop after `SHUTDOWN_DELAY_SECONDS`; running requests have 3 seconds less',
      DATABASE_POOL_TIMEOUT_SECONDS: 'wait for a connection to the database, and for a free place of a tenant',
      DATABASE_STATEMENT_TIMEOUT_SECONDS:
        '`statement_timeout` of PostgreSQL; an idle transaction has 5 seconds more, and the service waits 2 seconds more for a response. A [connection pooler](scaling.md#pgbouncer) must set the same values.',
      REDIS_TIMEOUT_MILLISECONDS: 'for a command to Redis',
      IDENTITY_TIMEOUT_SECONDS: 'for a request to the identity provider: signing keys, tokens, admin API',
      STORAGE_CONNECT_TIMEOUT_SECONDS: 'for a connection to S3; at most `STORAGE_TIMEOUT_SECONDS`',
      STORAGE_TIMEOUT_SECONDS: 'for sending a request to S3 and receiving the headers of its response',
      STORAGE_POOL_MAX: 'connections per process to S3, except downloads',
      STORAGE_DOWNLOAD_POOL_MAX: 'connections per process to S3 for downloads',
    },
  },
  {
    title: 'Traces',
    introduction: 'These are the standard variables of OpenTelemetry. [Operation](operation.md#traces) describes the traces.',
    meanings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'URL of the collector, to which the service adds `/v1/traces`; turns tracing on',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'complete URL for traces instead',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'encoding of an export',
      OTEL_EXPORTER_OTLP_HEADERS: 'headers of each export, such as `api-key=…`',
      OTEL_SERVICE_NAME: '`service.name` of the traces',
      OTEL_RESOURCE_ATTRIBUTES:
        'further attributes of the process, such as `deployment.environment.name=production`; `service.version` and `service.instance.id` are set',
      OTEL_TRACES_SAMPLER: 'which traces are recorded',
      OTEL_TRACES_SAMPLER_ARG: 'share of traces for `traceidratio`',
      OTEL_BSP_SCHEDULE_DELAY: 'milliseconds between two exports',
      OTEL_BSP_MAX_QUEUE_SIZE: 'spans that wait for an export',
      OTEL_SDK_DISABLED: '`true` turns tracing off',
    },
  },
];
