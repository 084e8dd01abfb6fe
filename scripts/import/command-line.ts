import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ImportMode, ImportType, RecordFileFormat, RunImportOptions } from '@profile-service/client';

const types = namesOf<ImportType>({
  organizations: true,
  organizationAddresses: true,
  organizationContacts: true,
  users: true,
  customers: true,
  memberships: true,
});
const modes = namesOf<ImportMode>({ create: true, upsert: true });
const formats = namesOf<RecordFileFormat>({ csv: true, ndjson: true });

export const usage = `usage: npm run import -- --type TYPE FILE [options]

Imports the records of a CSV or NDJSON file, and waits until all rows are done. Ctrl-C cancels the import; rows that are done stay.
The token is in the environment variable PROFILE_TOKEN, or in the file of --token-file.

  --type TYPE        ${types.join(', ')}
  --mode MODE        create (default): each row is a new record; upsert: change the records that exist
  --dry-run          check everything, change nothing
  --tenant ID        active tenant
  --url URL          base URL of the service. Default: http://localhost:3000
  --token-file FILE  file with the token. It is read for each request, so it can be renewed
  --format FORMAT    ${formats.join(' or ')}. Default: by the extension of FILE
  --delimiter CHAR   delimiter of a CSV file: , or ; or tab. Default: by the header
  --failed FILE      write the failed rows to this CSV file

Exit codes: 0 all rows succeeded; 1 a row failed, or the import failed or was cancelled; 2 wrong command line
`;

/** The command line is wrong. */
export class UsageError extends Error {}

export interface CommandLine {
  /** Path of the file to import. */
  file: string;
  url: string;
  tenant: string | undefined;
  /** Path of the file with the token. Undefined: the token is in PROFILE_TOKEN. */
  tokenFile: string | undefined;
  /** Path of the file to write the failed rows to. */
  failed: string | undefined;
  options: RunImportOptions;
}

/**
 * Parses the command line.
 * @param folder the folder that paths are relative to
 * @returns undefined if the user asks for help
 * @throws UsageError
 */
export function parseCommandLine(args: string[], folder: string): CommandLine | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [file, ...others] = positionals;
  if (file === undefined) throw new UsageError('FILE is missing');
  if (others.length > 0) throw new UsageError(`More than one FILE: ${positionals.join(', ')}`);
  const pathOf = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
  return {
    file: resolve(folder, file),
    url: values.url,
    tenant: values.tenant,
    tokenFile: pathOf(values['token-file']),
    failed: pathOf(values.failed),
    options: {
      type: oneOf('--type', types, values.type),
      mode: oneOf('--mode', modes, values.mode),
      dryRun: values['dry-run'],
      ...(values.format === undefined ? {} : { format: oneOf('--format', formats, values.format) }),
      ...(values.delimiter === undefined ? {} : { delimiter: delimiterOf(values.delimiter) }),
      filename: basename(file),
    },
  };
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        type: text,
        mode: { ...text, default: 'create' },
        'dry-run': flag,
        tenant: text,
        url: { ...text, default: 'http://localhost:3000' },
        'token-file': text,
        format: text,
        delimiter: text,
        failed: text,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function oneOf<Name extends string>(option: string, names: readonly Name[], value: string | undefined): Name {
  const found = names.find((name) => name === value);
  if (found === undefined) throw new UsageError(`${option} is ${value ?? 'missing'}. It must be one of ${names.join(', ')}`);
  return found;
}

function delimiterOf(value: string): string {
  const delimiter = ['tab', String.raw`\t`].includes(value) ? '\t' : value;
  if (!/^[,;\t]$/.test(delimiter)) throw new UsageError(`--delimiter is ${value}. It must be one of , ; tab`);
  return delimiter;
}

/** The compiler checks that all names are listed. */
function namesOf<Name extends string>(names: Record<Name, true>): Name[] {
  return Object.keys(names) as Name[];
}
