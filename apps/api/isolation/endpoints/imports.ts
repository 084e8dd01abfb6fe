import { importTypeNames, importTypes } from '@profile-service/contracts';
import { cellsOf, type Column, columnsOf, csvLines } from '@profile-service/record-files';
import { permits } from '../../test/oracle/guard.ts';
import type { Model, StoredImport } from '../../test/oracle/model.ts';
import { type Rule, ruleOf } from '../../test/oracle/rules.ts';
import { seesImport } from '../../test/oracle/visibility.ts';
import { anyId, equals, filters, next } from './draws.ts';
import { type Body, type Case, type Driver, type DrawContext, type Input, type Outcome, refuse } from './driver.ts';
import { endpointOf } from './resource.ts';

type TypeName = (typeof importTypeNames)[number];

/** The operations that the rows of a type are. */
export const operationsOf = (type: string): { create: string; update: string | undefined } =>
  type === 'memberships'
    ? { create: 'memberships.assign', update: undefined }
    : { create: `${type}.create`, update: ['organizations', 'users', 'customers'].includes(type) ? `${type}.update` : undefined };

const ruleOfRows = (type: string): Rule => {
  const { method, path } = endpointOf(operationsOf(type).create);
  return ruleOf(method, path);
};
const mayCreate = ({ who }: Pick<Case, 'who'>, type: string): boolean => {
  const rule = ruleOfRows(type);
  return rule.kind === 'user' && permits(who, rule) !== 'no';
};

/** The rows of the files that were drawn, by their text. */
const rowsOfFile = new Map<unknown, readonly Input[]>();

const isObject = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value);
/** The values of a record by their columns. */
const flat = (record: Input, prefix = ''): Input =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      isObject(value) ? Object.entries(flat(value, `${prefix}${name}.`)) : [[prefix + name, value]],
    ),
  );
const nested = (cells: Input): Input => {
  const record: Input = {};
  for (const [column, value] of Object.entries(cells)) {
    const [name = '', inner] = column.split('.');
    if (inner === undefined) record[name] = value;
    else record[name] = { ...(record[name] as Input | undefined), [inner]: value };
  }
  return record;
};

/** The columns of a file that all rows have. */
const columnsIn = (type: TypeName, rows: readonly Input[]): Column[] =>
  columnsOf(importTypes[type].row).filter(({ name }) => rows.every((row) => !['undefined', 'object'].includes(typeof flat(row)[name])));

/** CSV. Returns the rows as the service reads them: without the cells that are not in the file. */
function csv(type: TypeName, rows: readonly Input[]): { file: string; rows: Input[] } {
  const columns = columnsIn(type, rows);
  const names = columns.map(({ name }) => name);
  return {
    file: csvLines([names, ...rows.map((row) => cellsOf(row, columns))]),
    rows: rows.map((row) => nested(Object.fromEntries(names.map((name) => [name, flat(row)[name]])))),
  };
}
const ndjson = (_type: TypeName, rows: readonly Input[]) => ({ file: rows.map((row) => `${JSON.stringify(row)}\n`).join(''), rows });

/** The records that a row of the mode `upsert` may change, and deleted ones. The root user never changes. */
function existing(
  { organizations, deletedOrganizations, users, customers }: Model,
  type: TypeName,
): { federalTaxId: string; email?: string | null }[] {
  if (type === 'organizations') return [...organizations.values(), ...deletedOrganizations.values()];
  if (type === 'customers') return [...customers.values()];
  return type === 'users' ? [...users.values()].slice(1) : [];
}

/** Rows as the POST gets them. In the mode `upsert`, many have the tax id of a record, also of one outside the scope. Some have that of the row before. */
function drawRows(context: DrawContext, type: TypeName, mode: string, driverOf: (name: string) => Driver): Input[] {
  const { model, random, who } = context;
  const create = driverOf(operationsOf(type).create);
  const rows: Input[] = [];
  for (let count = 1 + random.index(3); count > 0; count -= 1) {
    const row = create.draw(context);
    const known = mode === 'upsert' && random.chance(0.7) ? random.pick(existing(model, type)) : undefined;
    const { federalTaxId, email } = (random.chance(0.2) ? rows.at(-1) : known) ?? {};
    if (federalTaxId !== undefined) row['federalTaxId'] = federalTaxId;
    if (type === 'users' && email !== undefined && random.chance(0.7)) row['email'] = email;
    rows.push(row);
  }
  const [root] = model.users.values();
  const allowed = rows.filter(({ federalTaxId }) => federalTaxId !== root?.federalTaxId);
  // The access of the uploader may change with the last row only: when it is checked again depends on the time.
  const own = allowed.filter(({ userId }) => userId !== undefined && userId === who.user?.id);
  return [...allowed.filter((row) => !own.includes(row)), ...own.slice(0, 1)];
}

/** Often of an import that has not ended. */
function drawImport(context: DrawContext): Input {
  const { model, random } = context;
  const queued = [...model.imports.values()].find(({ finishedAt }) => finishedAt === null);
  return { id: queued && random.chance(0.6) ? queued.id : anyId(context, model.imports) };
}

export function showImport({ token: _, given: _given, results: _results, ...shown }: StoredImport): object {
  return shown;
}

const found = ({ model, who, input }: Case): StoredImport | undefined => {
  const stored = model.imports.get(String(input['id']));
  return stored && seesImport(who, stored) ? stored : undefined;
};
/** The driver of an endpoint of an import. */
const ofImport = (outcome: (stored: StoredImport, it: Case) => Outcome, draw: (context: DrawContext) => Input = () => ({})): Driver => ({
  draw: (context) => ({ ...draw(context), ...drawImport(context) }),
  outcome(it) {
    const stored = found(it);
    return stored ? outcome(stored, it) : refuse('IMPORT_NOT_FOUND');
  },
});

const statuses = ['CREATED', 'UPDATED', 'UNCHANGED', 'FAILED'] as const;
const formats = ['csv', 'ndjson'] as const;

/** As CSV, with the rows of the file. */
function resultsText({ type, fileName, given, results }: StoredImport, wanted: unknown): string {
  const columns = fileName.endsWith('csv') ? columnsIn(type, given) : columnsOf(importTypes[type].row);
  const lines = results.flatMap(({ row, status, id, code }) =>
    equals(status, wanted) ? [[String(row), status, id ?? '', code ?? '', '[]', ...cellsOf(given[row - 1], columns)]] : [],
  );
  return csvLines([['row', 'status', 'id', 'code', 'errors', ...columns.map(({ name }) => name)], ...lines]);
}

function make({ who, input }: Case, { id }: Body): StoredImport {
  const { type, mode, dryRun, filename, file } = input;
  return {
    id,
    type,
    mode,
    dryRun: dryRun === 'true',
    fileName: filename,
    status: 'QUEUED',
    code: null,
    message: null,
    rows: null,
    processed: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    createdBy: who.user?.id,
    tenantId: who.tenant?.id ?? null,
    startedAt: null,
    finishedAt: null,
    token: who.token,
    given: rowsOfFile.get(file) ?? [],
    results: [],
  } as unknown as StoredImport;
}

/** The drivers of imports. @param driverOf returns the driver of a write */
export function imports(driverOf: (name: string) => Driver): Record<'create' | 'list' | 'template' | 'get' | 'results' | 'cancel', Driver> {
  return {
    create: {
      draw(context) {
        const { random } = context;
        const allowed = importTypeNames.filter((type) => mayCreate(context, type));
        const type = (random.chance(0.85) ? random.pick(allowed) : undefined) ?? random.oneOf(...(importTypeNames as [TypeName]));
        const [mode, format] = [random.oneOf('create', 'upsert'), random.oneOf(...formats)];
        const { file, rows } = (format === 'csv' ? csv : ndjson)(type, drawRows(context, type, mode, driverOf));
        rowsOfFile.set(file, rows);
        return { type, mode, dryRun: String(random.chance(0.3)), filename: `m${next()}x.${format}`, file };
      },
      outcome(it) {
        if (!mayCreate(it, String(it.input['type']))) return refuse('NOT_ALLOWED');
        return {
          body: (answered) => showImport(make(it, answered)),
          change: (answered) => void it.model.imports.set(String(answered['id']), make(it, answered)),
        };
      },
    },
    list: {
      draw: (context) => ({
        limit: context.random.oneOf(100, 100, 2),
        ...filters(context, {
          type: () => context.random.oneOf(...(importTypeNames as [TypeName])),
          status: () => context.random.oneOf('QUEUED', 'COMPLETED', 'CANCELLED', 'FAILED'),
        }),
      }),
      outcome({ model, who, input: { type, status, limit = 20 } }) {
        const seen = [...model.imports.values()]
          .filter((stored) => seesImport(who, stored) && equals(stored.type, type) && equals(stored.status, status))
          .toReversed();
        return {
          body: ({ nextCursor }) => ({
            data: seen.slice(0, Number(limit)).map(showImport),
            nextCursor: seen.length > Number(limit) ? String(nextCursor) : null,
          }),
        };
      },
    },
    template: {
      draw: ({ random }) => ({ type: random.oneOf(...(importTypeNames as [TypeName])), format: random.oneOf(...formats) }),
      outcome: () => ({ body: (answered) => answered }),
    },
    get: ofImport((stored) => ({ body: () => showImport(stored) })),
    results: ofImport(
      (stored, { input: { format = 'ndjson', status } }) => ({
        body: () =>
          format === 'csv'
            ? { csv: resultsText(stored, status) }
            : {
                data: stored.results.filter((each) => equals(each.status, status)).map((each) => ({ ...each, errors: [] })),
                nextCursor: null,
              },
      }),
      (context) => filters(context, { format: () => context.random.oneOf(...formats), status: () => context.random.oneOf(...statuses) }),
    ),
    cancel: ofImport((stored) => {
      if (stored.finishedAt !== null) return refuse('IMPORT_NOT_RUNNING');
      const cancelled = { ...stored, status: 'CANCELLED', finishedAt: 'set' } as const;
      return { body: () => showImport(cancelled), change: () => void Object.assign(stored, cancelled) };
    }),
  };
}
