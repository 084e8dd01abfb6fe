import { z } from 'zod';
import { access } from './access.ts';
import { defineEndpoint } from './endpoint.ts';
import { exampleIds } from './examples.ts';
import { Delimiter, ExportFormat, exportTypes } from './export.ts';
import { Timestamp, Uuid } from './fields.ts';
import { importTypeNames } from './import-types.ts';

export const importModes = ['create', 'upsert'] as const;
export const importStatuses = ['QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;
export const importResultStatuses = ['CREATED', 'UPDATED', 'UNCHANGED', 'FAILED'] as const;

/** Days for which an import is kept after its end, with its file and its results. */
export const importRetentionDays = 7;
/** The most rows of a file. */
export const maxImportRows = 1_000_000;

const ImportType = z
  .enum(importTypeNames)
  .meta({ id: 'ImportType', description: 'The records that an import creates.', example: 'organizations' });
// A form has texts only.
const FormBoolean = z.enum(['true', 'false']).meta({ id: 'FormBoolean', description: 'A truth value in a form.' });
const ImportMode = z.enum(importModes).meta({
  id: 'ImportMode',
  description:
    '`create`: each row is a POST. `upsert`: a row whose record exists, by `federalTaxId`, is a PUT of that record; the others are a POST.',
});
const ImportStatus = z.enum(importStatuses).meta({ id: 'ImportStatus', description: 'What becomes of an import.' });
const ImportResultStatus = z.enum(importResultStatuses).meta({ id: 'ImportResultStatus', description: 'What became of a row.' });

const example = {
  id: exampleIds.import,
  type: 'organizations',
  mode: 'upsert',
  dryRun: false,
  fileName: 'cooperativas.csv',
  status: 'COMPLETED',
  code: null,
  message: null,
  rows: 1200,
  processed: 1200,
  created: 1100,
  updated: 80,
  unchanged: 15,
  failed: 5,
  createdBy: exampleIds.user,
  tenantId: exampleIds.tenant,
  createdAt: '2026-01-15T12:00:00.000Z',
  startedAt: '2026-01-15T12:00:01.000Z',
  finishedAt: '2026-01-15T12:00:03.000Z',
} as const;

const count = z.int32().min(0);

export const Import = z
  .object({
    id: Uuid.describe('Id of the import, set by the service. Audit entries and events of its rows have it as `requestId`.'),
    type: ImportType.describe('The records that the rows are.'),
    mode: ImportMode.describe('Whether existing records are changed.'),
    dryRun: z.boolean().describe('Whether the import only reports what it would do.'),
    fileName: z.string().describe('Name of the uploaded file.'),
    status: ImportStatus.describe(
      '`QUEUED`: waits for its turn in the tenant. `RUNNING`: is being done. `COMPLETED`: each row has a result. `CANCELLED`: the other rows were not done. `FAILED`: `code` says why the other rows were not done.',
    ),
    code: z
      .string()
      .nullable()
      .describe('Error code of a `FAILED` import, such as `INVALID_IMPORT_FILE`, or `NOT_ALLOWED` if its creator has lost access.'),
    message: z.string().nullable().describe('What is wrong, and in which line of the file. Null unless `code` has a value.'),
    rows: count.nullable().describe('Number of rows of the file, without the header and empty lines. Null until they were counted.'),
    processed: count.describe('Number of rows with a result.'),
    created: count.describe('Number of records that were created; in a dry run, that would be.'),
    updated: count.describe('Number of records that were changed.'),
    unchanged: count.describe('Number of rows that are as their record already was.'),
    failed: count.describe('Number of rows that were refused. The results have the reasons.'),
    createdBy: Uuid.describe('Id of the user who uploaded the file, and is the actor of all rows.'),
    tenantId: Uuid.nullable().describe('Id of the active tenant of the upload. Null if a Global user had none.'),
    createdAt: Timestamp.describe('Time of the upload, in UTC with milliseconds.'),
    startedAt: Timestamp.nullable().describe('Time at which the rows were begun. Null before.'),
    finishedAt: Timestamp.nullable().describe(
      `Time of the end. The import, its file and its results are deleted ${importRetentionDays} days later. Null before.`,
    ),
  })
  .meta({ id: 'Import', description: 'A file of records, each row of which is a request of its own.', example });

const ImportList = z
  .object({
    data: z.array(Import).describe('Imports of this page, newest first.'),
    nextCursor: z.string().nullable().describe('Value of `cursor` for the next page. Null on the last page.'),
  })
  .meta({ id: 'ImportList', description: 'One page of imports, without totals.', example: { data: [example], nextCursor: null } });

const ImportCreate = z
  .object({
    type: ImportType.describe('The records that the rows are.'),
    format: ExportFormat.optional().describe('Format of the file. Default: by the extension of its name, `.csv`, `.ndjson` or `.jsonl`.'),
    mode: ImportMode.default('create').describe('Whether existing records are changed.'),
    dryRun: FormBoolean.default('false').describe(
      '`true`: does and checks everything, changes nothing, and reports what the import would do.',
    ),
    delimiter: Delimiter.optional().describe('What separates the cells of a CSV file. Default: by the header.'),
  })
  .meta({
    id: 'ImportCreate',
    description: 'The form of an import: first the fields, then the file.',
    example: { type: 'organizations', mode: 'upsert', dryRun: 'true', file: '@cooperativas.csv' },
  });

export const ImportResult = z
  .object({
    row: count.describe('Number of the row, from 1, without the header and empty lines.'),
    status: ImportResultStatus.describe('What became of the row; in a dry run, what would become of it.'),
    id: z.string().nullable().describe('Id of the record; of a membership, `<userId>:<tenantId>`. Null for a failed row.'),
    code: z.string().nullable().describe('Error code of a failed row, as of the request that it stands for.'),
    errors: z
      .array(
        z
          .object({ path: z.string().describe('Column of the invalid field.'), message: z.string().describe('What is wrong.') })
          .meta({ id: 'ImportResultError', description: 'An invalid cell.', example: { path: 'name', message: 'Too small' } }),
      )
      .describe('The invalid fields. Empty if `code` says all.'),
  })
  .meta({
    id: 'ImportResult',
    description: 'What became of a row of an import.',
    example: { row: 7, status: 'FAILED', id: null, code: 'ORGANIZATION_ALREADY_EXISTS', errors: [] },
  });

const params = { id: Import.shape.id.meta({ example: exampleIds.import }) };
const accessFor = (action: 'create' | 'read' | 'delete', resource: 'resource:imports' | 'resource:imports_id') =>
  access.user('imports', action, resource);
const fileTypes = Object.values(exportTypes);
const format = ExportFormat.default('csv').describe('Format of the file.');

export const imports = {
  create: defineEndpoint('POST /api/imports', accessFor('create', 'resource:imports'), {
    summary: 'Upload a file to import',
    description:
      'Checks the header, stores the file and queues the import. A row is a request of the POST of its type: it has the same access, rules and error codes, and its own audit entry and event. Rows succeed or fail alone, in the order of the file. Imports of a tenant run one after the other.',
    media: 'upload',
    fileTypes: ['text/csv', 'application/x-ndjson'],
    fieldsFirst: true,
    body: ImportCreate,
    output: Import,
    success: 202,
    events: [],
    errors: ['NOT_ALLOWED', 'INVALID_IMPORT_FILE', 'FailedToUploadFileError'],
  }),
  list: defineEndpoint('GET /api/imports', accessFor('read', 'resource:imports'), {
    summary: 'List imports',
    description:
      'Newest first, in pages without totals: send `nextCursor` as `cursor` until it is null. Contains the imports of the active tenant; all imports for a Global user without one.',
    query: {
      type: ImportType.optional().describe('Only imports of these records.'),
      status: ImportStatus.optional().describe('Only imports with this status.'),
      limit: z.int32().min(1).max(100).default(20).describe('Imports per page, from 1 to 100.'),
      cursor: z.string().max(1024).optional().describe('`nextCursor` of the previous page. Send it with the same filters.'),
    },
    output: ImportList,
    success: 200,
  }),
  template: defineEndpoint('GET /api/imports/template', accessFor('read', 'resource:imports'), {
    summary: 'Get a template of an import',
    description: 'Returns a file with a header row and an example row.',
    query: { type: ImportType.describe('The records that the rows are.'), format },
    output: ImportResult,
    media: 'export',
    fileTypes,
    success: 200,
    responseHeaders: { 200: ['Content-Disposition'] },
  }),
  get: defineEndpoint('GET /api/imports/{id}', accessFor('read', 'resource:imports_id'), {
    summary: 'Get an import',
    description: 'Returns how far the import is.',
    params,
    output: Import,
    success: 200,
    errors: ['IMPORT_NOT_FOUND'],
  }),
  results: defineEndpoint('GET /api/imports/{id}/results', accessFor('read', 'resource:imports_id'), {
    summary: 'Get the results of an import',
    description:
      'Returns one line for each row that was done so far. CSV has the delimiter and the byte order mark of the uploaded file, and its columns after those of the result, so that a corrected file can be sent again.',
    params,
    query: {
      status: ImportResultStatus.optional().describe('Only rows with this status.'),
      format: ExportFormat.default('ndjson').describe('Format of the file.'),
    },
    output: ImportResult,
    media: 'export',
    fileTypes,
    success: 200,
    responseHeaders: { 200: ['Content-Disposition'] },
    errors: ['IMPORT_NOT_FOUND', 'FailedToDownloadFileError'],
  }),
  cancel: defineEndpoint('DELETE /api/imports/{id}', accessFor('delete', 'resource:imports_id'), {
    summary: 'Cancel an import',
    description: 'The rows that are done stay.',
    params,
    output: Import,
    success: 202,
    events: [],
    errors: ['IMPORT_NOT_FOUND', 'IMPORT_NOT_RUNNING'],
  }),
};
