import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingNames } from '../../src/settings.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');

interface Schema {
  properties: Record<string, { properties: Record<string, unknown> }>;
}
const { properties } = JSON.parse(read('deploy/helm/profile-service/values.schema.json')) as Schema;
const namesOf = (value: string) => Object.keys(properties[value]?.properties ?? {});

/** Settings that the chart derives from other values: `ports`, `storageDir` and `ca.database`. NODE_ENV is always production. */
const derived = ['NODE_ENV', 'PORT', 'MANAGEMENT_PORT', 'STORAGE_DIR', 'DATABASE_CA_FILE'];

test('the chart can set every setting of the service, each in one place, and no other', () => {
  expect([...namesOf('settings'), ...namesOf('secretSettings'), ...derived].toSorted()).toEqual(settingNames.toSorted());
});

test('credentials and personal data are only references to a Secret', () => {
  expect(namesOf('settings').filter((name) => /SECRET|PASSWORD|KEY|^BOOTSTRAP_|^(DATABASE|REDIS)_.*URL$|HEADERS$/.test(name))).toEqual([]);
});

test('the versions of the chart and of the service are equal', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(parse(read('deploy/helm/profile-service/Chart.yaml'))).toMatchObject({ version, appVersion: version });
});
