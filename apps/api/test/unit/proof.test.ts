import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeMissing, missingPrograms } from '../../../../scripts/programs.ts';
import { readArguments } from '../../../../scripts/proof/arguments.ts';
import { describeProofs, proofNames, proofs } from '../../../../scripts/proof/proofs.ts';
import { root } from '../support/project-files.ts';

test.each<[args: string, object]>([
  [
    'faults isolation --seconds 5 --only recovery',
    { names: ['faults', 'isolation'], options: ['--seconds', '5', '--only', 'recovery'], isList: false },
  ],
  ['--list', { names: [], options: [], isList: true }],
  // The mutants have a list of their own.
  ['mutants --list', { names: ['mutants'], options: ['--list'], isList: false }],
  [
    'storage fualts',
    expect.objectContaining({ error: expect.stringMatching(/^There is no proof fualts\.\nusage: npm run proof -- NAME/) }),
  ],
  ['--seconds 5', expect.objectContaining({ error: expect.stringMatching(/^usage: /) })],
])('npm run proof -- %s', (args, expected) => {
  expect(readArguments(args.split(' '))).toEqual(expected);
});

test.each(proofNames)('the list names the proof %s with its time, and its program exists', (name) => {
  expect(describeProofs()).toMatch(new RegExp(`^${name} +\\d+ min  `, 'm'));
  expect(existsSync(join(root, proofs[name].main))).toBe(true);
});

test('all missing programs are named at once, with the command that installs them', () => {
  const missing = missingPrograms(['redis-server', 'go', 'docker', 'java', 'pip', 'redis-server'], (name) => name === 'java');
  expect(describeMissing(missing).split('\n')).toEqual([
    'Missing: redis-server, go, docker, pip. Install:',
    '  apt-get install -y redis-server python3-pip',
    '  a running Docker engine with compose v2: https://docs.docker.com/engine/install',
  ]);
});
