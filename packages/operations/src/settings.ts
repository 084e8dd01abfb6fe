import { existsSync } from 'node:fs';
import { findStorageErrors, type StorageSettings, storageShape } from '@profile-service/storage';
import { z } from 'zod';

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });

/** The settings of the data: of the database and the storage. The commands of an operator need no others, and the server has them too. */
export const dataShape = {
  NODE_ENV: z.string().default('development'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_CA_FILE: z.string().refine(existsSync, 'names no file').optional(),
  DATABASE_STATEMENT_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(60).default(10),
  ...storageShape,
};

const dataSchema = z.object(dataShape);
export type DataSettings = z.output<typeof dataSchema> & StorageSettings;

/** Reads the settings of the data. @throws SettingsError with all errors */
export const readDataSettings = (environment: Variables): DataSettings =>
  parseSettings(dataSchema, environment, findStorageErrors) as DataSettings;

/** Prefix of the secrets in .env.example. NODE_ENV=production rejects them. */
const developmentSecretPrefix = 'dev-only-';

/** Invalid settings. The message has one line for each error. */
export class SettingsError extends Error {
  constructor(errors: readonly string[]) {
    super(`The settings are not complete or not right:\n${errors.map((error) => `  ${error}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/**
 * Validates settings. An empty variable counts as absent.
 * @param findErrors checks settings that depend on others: returns one line for each error
 * @throws SettingsError with all errors
 */
export function parseSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Variables,
  findErrors: (variables: Variables) => readonly string[],
): z.output<Schema> {
  const variables: Variables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const { success, data, error } = schema.safeParse(variables);
  const errors = success ? [] : error.issues.map(({ path: [name = ''], message }) => describe(variables, String(name), message));
  errors.push(...findErrors(variables));
  if (variables['NODE_ENV'] === 'production') {
    const secrets = Object.keys(schema.shape).filter((name) => variables[name]?.includes(developmentSecretPrefix));
    errors.push(...secrets.map((name) => `${name} holds a development secret, which a production start refuses`));
  }
  if (!success || errors.length > 0) throw new SettingsError(errors);
  return data;
}

const describe = (variables: Variables, name: string, message: string): string =>
  variables[name] === undefined ? `${name} is not set` : `${name}: ${message}`;
