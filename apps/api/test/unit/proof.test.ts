import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { describeMissing, missingPrograms } from '../../../../scripts/programs.ts';
import { readArguments } from '../../../../scripts/proof/arguments.ts';
import { describeProofs, proofNames, proofs } from '../../../../scripts/proof/proofs.ts';

const root = new URL('../../../../', import.meta.url);

afterEach(() => vi.unstubAllEnvs());

describe('the arguments of npm run proof', () => {
  test('are names, then options for each of them', () => {
    const args = ['faults', 'isolation', '--seconds', '5', '--only', 'recovery'];
    expect(readArguments(args)).toEqual({ names: ['faults', 'isolation'], options: args.slice(2), isList: false });
    expect(readArguments(['recovery'])).toEqual({ names: ['recovery'], options: [], isList: false });
  });

  test('can ask for the list instead', () => {
    expect(readArguments(['--list'])).toEqual({ names: [], options: [], isList: true });
    // The mutants have a list of their own.
    expect(readArguments(['mutants', '--list'])).toMatchObject({ names: ['mutants'], options: ['--list'], isList: false });
  });

  test.each([[['storge']], [['storage', 'fualts']]])('are rejected with an unknown name: %j', (args) => {
    expect(readArguments(args).error).toMatch(/^There is no proof (storge|fualts)\.\nusage: npm run proof -- NAME/);
  });

  test('are rejected without a name', () => {
    expect(readArguments(['--seconds', '5']).error).toMatch(/^usage: /);
  });
});

test('the list names each proof with its time and its programs', () => {
  const text = describeProofs();
  for (const name of proofNames) expect(text).toMatch(new RegExp(`^${name} +\\d+ min  `, 'm'));
  expect(text).toContain('needs postgres 15, redis-server\n');
  expect(text).toContain('needs nothing besides npm packages');
});

test('the program of each proof exists', () => {
  for (const name of proofNames) expect(readFileSync(new URL(proofs[name].main, root), 'utf8')).toContain(`npm run proof -- ${name}`);
});

test('all missing programs are named at once, with the command that installs them', () => {
  const missing = missingPrograms(['redis-server', 'go', 'docker', 'java', 'pip', 'redis-server'], (name) => name === 'java');
  expect(describeMissing(missing)).toBe(
    [
      'Missing: redis-server, go, docker, pip. Install:',
      '  apt-get install -y redis-server python3-pip',
      '  a running Docker engine with compose v2: https://docs.docker.com/engine/install',
    ].join('\n'),
  );
});

test('programs are looked for on the PATH', () => {
  vi.stubEnv('PATH', '/nonexistent');
  vi.stubEnv('JAVA_HOME', undefined);
  expect(missingPrograms(['mvn', 'java', 'javac', 'pip', 'go', 'python3 3.11'])).toEqual([
    'mvn',
    'java',
    'javac',
    'pip',
    'go',
    'python3 3.11',
  ]);
});

test.each([
  ['KEYCLOAK_URL', 'keycloak', ['chromium']],
  ['STORAGE_ENDPOINT', 'storage', []],
] as const)('%s replaces programs of the proof %s', (setting, name, expected) => {
  expect(proofs[name].needs({ [setting]: 'http://localhost' })).toEqual(expected);
});

test('CLIENTS chooses the languages whose toolchains are needed', () => {
  vi.stubEnv('CLIENTS', 'ts,java');
  expect(proofs.clients.needs({})).toEqual(['javac', 'mvn']);
  vi.stubEnv('CLIENTS', 'cobol');
  expect(() => proofs.clients.needs({})).toThrow('CLIENTS names unknown languages: cobol. They are ts, python, go, java.');
});
