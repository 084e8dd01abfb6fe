import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImportTypeName, importTypes } from '@profile-service/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ImportBody, type ImportResultBody, runImport, uploadImport } from '../support/imports.ts';
import { useWorldWithMap } from '../support/organizations.ts';
import { readJson, root } from '../support/project-files.ts';

/** What `NAME.json` says about `NAME.csv`. */
interface Example {
  /** The form of the import. */
  fields: Record<string, string> & { type: ImportTypeName };
  /** Ids in the file, each with the list that has its record. */
  ids?: Record<string, string>;
  /** The problem of a file that is refused. */
  refused?: { code: string; detail: string };
  /** The counts of the import. */
  ended: Partial<ImportBody>;
  /** The results of the rows that fail. */
  failed: ImportResultBody[];
  /** Records of rows that succeed, by the number of the row. */
  records?: Record<string, object>;
}

const folder = 'examples/import';
const files = readdirSync(join(root, folder))
  .filter((name) => name.endsWith('.csv'))
  .map((name) => ({ name, ...readJson<Example>(`${folder}/${name.replace('.csv', '.json')}`) }));

const world = useWorldWithMap();
beforeAll(() => world.tenant());

/** The content of the file, with the ids of this installation. Its encoding does not matter for them. */
async function contentOf({ name, ids = {} }: (typeof files)[number]): Promise<Buffer<ArrayBuffer>> {
  let content = readFileSync(join(root, folder, name), 'latin1');
  for (const [id, list] of Object.entries(ids)) {
    const { data } = (await world.call<{ data: { id: string }[] }>(world.global, `GET /api/${list}`)).body;
    content = content.replaceAll(id, data[0]?.id ?? `no ${list}`);
  }
  return Buffer.from(content, 'latin1');
}

test('there are ten files', () => {
  expect(files).toHaveLength(10);
});

// The files build upon each other.
describe.each(files.filter(({ refused }) => !refused))('$name', (file) => {
  const { name, fields, ended, failed, records = {} } = file;

  // Rules: IMPORTS-9, IMPORTS-10, IMPORTS-11, IMPORTS-12, IMPORTS-13, IMPORTS-14, IMPORTS-16
  test.each(['true', 'false'])('has its expected result with dryRun: %s', async (dryRun) => {
    const { done, results } = await runImport(world, world.global, { ...fields, dryRun }, await contentOf(file), name);
    expect(done).toMatchObject({ status: 'COMPLETED', ...ended });
    expect(results.filter(({ status }) => status === 'FAILED')).toMatchObject(failed);
    for (const [row, record] of Object.entries(dryRun === 'true' ? {} : records)) {
      const path = `${importTypes[fields.type].create.path}/${results[Number(row) - 1]?.id}`;
      expect((await world.call(world.global, `GET ${path}`)).body).toMatchObject(record);
    }
  });
});

// Rules: IMPORTS-7
test.each(files.filter(({ refused }) => refused))('$name is refused', async (file) => {
  const { code, body } = await uploadImport(world, world.global, file.fields, await contentOf(file), file.name);
  expect({ ...body, code }).toMatchObject(file.refused as object);
});
