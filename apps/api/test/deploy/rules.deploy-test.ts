import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { root, runProgram } from './helm.ts';

const promtool = (...args: string[]) => runProgram(process.env['PROMTOOL'] ?? 'promtool', args);
const filesIn = (folder: string) => globSync(`deploy/observability/${folder}/*.yaml`, { cwd: root });

describe('promtool', () => {
  test.each(filesIn('rules'))('accepts %s', (file) => {
    const { ok, stdout, stderr } = promtool('check', 'rules', file);
    expect({ ok, stderr }).toEqual({ ok: true, stderr: '' });
    expect(stdout).toContain('SUCCESS');
  });

  test.each(filesIn('tests'))('passes the tests of %s', (file) => {
    const { ok, stdout, stderr } = promtool('test', 'rules', file);
    expect({ ok, stdout, stderr }).toEqual({ ok: true, stdout: expect.stringContaining('SUCCESS'), stderr: '' });
  });
});
