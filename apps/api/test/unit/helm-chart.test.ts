import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { SettingsError } from '@profile-service/operations/settings';
import { readSettings, settingNames } from '../../src/settings.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');

interface Property {
  minimum?: number;
  maximum?: number;
}
interface Schema {
  properties: Record<string, { properties: Record<string, Property> }>;
}
const { properties } = JSON.parse(read('deploy/helm/profile-service/values.schema.json')) as Schema;
const namesOf = (value: string) => Object.keys(properties[value]?.properties ?? {});

/** Settings that the chart derives from other values: `ports`, `storageDir` and `ca.database`. NODE_ENV is always production. */
const derived = ['NODE_ENV', 'PORT', 'MANAGEMENT_PORT', 'STORAGE_DIR', 'DATABASE_CA_FILE'];

test('the chart can set every setting of the service, each in one place, and no other', () => {
  expect([...namesOf('settings'), ...namesOf('secretSettings'), ...derived].toSorted()).toEqual(settingNames.toSorted());
});

test('the chart and the service have the same bounds', () => {
  const bounds = Object.entries(properties['settings']?.properties ?? {}).flatMap(([name, { minimum, maximum }]) =>
    minimum === undefined || maximum === undefined ? [] : [{ name, minimum, maximum }],
  );
  expect(bounds.length).toBeGreaterThan(10);
  for (const { name, minimum, maximum } of bounds) {
    const rejected = [minimum - 1, minimum, maximum, maximum + 1].map((value) => rejects(name, value));
    expect([name, ...rejected]).toEqual([name, true, false, false, true]);
  }
});

test('the value files use every setting', () => {
  const everything = parse(read('deploy/helm/profile-service/ci/everything-values.yaml')) as Record<string, object>;
  const defaults = parse(read('deploy/helm/profile-service/values.yaml')) as Record<string, object>;
  expect(Object.keys(everything['settings'] ?? {}).toSorted()).toEqual(namesOf('settings').toSorted());
  expect(Object.keys({ ...defaults['secretSettings'], ...everything['secretSettings'] }).toSorted()).toEqual(
    namesOf('secretSettings').toSorted(),
  );
});

test('values.yaml names every secret setting', () => {
  const text = read('deploy/helm/profile-service/values.yaml');
  expect(namesOf('secretSettings').filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

test('credentials and personal data are only references to a Secret', () => {
  expect(namesOf('settings').filter((name) => /SECRET|PASSWORD|KEY|^BOOTSTRAP_|^(DATABASE|REDIS)_.*URL$|HEADERS$/.test(name))).toEqual([]);
});

test('the versions of the chart and of the service are equal', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(parse(read('deploy/helm/profile-service/Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

/** Whether the service rejects this value of the setting. */
function rejects(name: string, value: number): boolean {
  try {
    readSettings({ [name]: String(value) });
  } catch (error) {
    return error instanceof SettingsError && error.message.includes(`${name}:`);
  }
  return false;
}
