import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@profile-service/local-stack';
import { generate, GenericExpressionNode, IdentifierNode, LiteralNode, PostgresDialect, UnionExpressionNode } from 'kysely-codegen';
import { format, resolveConfig } from 'prettier';
import { migrate } from '../src/migrations/migrate.ts';

/** `pnpm generate database-types` generates src/schema.gen.ts from a newly migrated database. With `--check` it only checks that the file is up to date. */
const file = fileURLToPath(new URL('../src/schema.gen.ts', import.meta.url));

const alwaysGenerated = new GenericExpressionNode('GeneratedAlways', [new IdentifierNode('string')]);
const oneOf = (...values: string[]) => new UnionExpressionNode(values.map((value) => new LiteralNode(value)));
const withDefault = (type: UnionExpressionNode) => new GenericExpressionNode('Generated', [type]);

/** Columns of views that are never null. PostgreSQL's catalogue does not say so. */
const notNull: Record<string, string> = {
  audit_entries: 'id occurred_at outcome actor_kind operation related cascade',
  events: 'epoch transaction_id sequence id type occurred_at actor_kind record_type record_id changed data',
};

/** Types that PostgreSQL's catalogue lacks: the values that check constraints allow, and columns that cannot be written. */
const columns = {
  'users.type': new IdentifierNode('UserType'),
  'memberships.persona': new IdentifierNode('Persona'),
  'memberships.scope': withDefault(oneOf('ALL', 'RESTRICTED')),
  'organization_contacts.type': oneOf('PHONE', 'EMAIL', 'URL'),
  'imports.type': new IdentifierNode('ImportTypeName'),
  'imports.format': oneOf('csv', 'ndjson'),
  'imports.mode': oneOf('create', 'upsert'),
  'imports.status': withDefault(oneOf('QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED')),
  'import_results.status': oneOf('CREATED', 'UPDATED', 'UNCHANGED', 'FAILED'),
  'audit_entries.outcome': oneOf('COMMITTED', 'REFUSED'),
  'audit_entries.actor_kind': oneOf('USER', 'APPLICATION', 'SYSTEM'),
  'attachments.entity_type': withDefault(oneOf('DOCUMENT', 'ORGANIZATION', 'CUSTOMER', 'USER')),
  'webhook_deliveries.status': withDefault(oneOf('PENDING', 'DELIVERED', 'FAILED')),
  'webhooks.disabled_reason': oneOf('ENDPOINT_GONE', 'FAILING'),
  'users.search_name': alwaysGenerated,
  'organizations.search_name': alwaysGenerated,
  'document_types.search_name': alwaysGenerated,
  'states.search_name': alwaysGenerated,
  'cities.search_name': alwaysGenerated,
};

async function generateTypes(connectionString: string): Promise<string> {
  const dialect = new PostgresDialect();
  const introspect = dialect.introspector.introspect.bind(dialect.introspector);
  dialect.introspector.introspect = async (options) => {
    const metadata = await introspect(options);
    for (const table of metadata.tables)
      for (const column of table.columns) if (notNull[table.name]?.split(' ').includes(column.name)) column.isNullable = false;
    return metadata;
  };
  const db = await dialect.introspector.connect({ connectionString, dialect });
  try {
    return await generate({
      db,
      dialect,
      outFile: null,
      camelCase: true,
      // The tables of Kysely's migrator, the schema of the job queue, and the partitions, which are created at run time.
      excludePattern: '{kysely_*,pgboss.*,journal_*}',
      typeMapping: { timestamptz: 'string', int8: 'number', jsonb: 'Record<string, unknown>' },
      customImports: {
        GeneratedAlways: 'kysely#GeneratedAlways',
        ImportTypeName: '@profile-service/contracts#ImportTypeName',
        Persona: '@profile-service/contracts#Persona',
        UserType: '@profile-service/contracts#UserType',
      },
      overrides: { columns },
    });
  } finally {
    await db.destroy();
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'profile-service-types-'));
const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } });
try {
  await migrate(postgres.url);
  const types = await format(await generateTypes(postgres.url), { ...(await resolveConfig(file)), filepath: file });
  const upToDate = types === (await readFile(file, 'utf8').catch(() => ''));
  if (!process.argv.includes('--check')) await writeFile(file, types);
  else if (!upToDate) {
    console.error('packages/db/src/schema.gen.ts is out of date: run `pnpm generate database-types`');
    process.exitCode = 1;
  }
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
