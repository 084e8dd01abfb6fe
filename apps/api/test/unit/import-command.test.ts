import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Import } from '@profile-service/contracts';
import type { z } from 'zod';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseCommandLine, UsageError } from '../../../../scripts/import/command-line.ts';
import { describeImport, describeRow, exitCodeOf, linesOf } from '../../../../scripts/import/outcome.ts';
import { createProgressView, createRateMeter, progressLine } from '../../../../scripts/import/progress.ts';
import { root } from '../../../../scripts/ci/command.ts';
import { listen } from '../../../../test/listen.ts';

type ImportRecord = z.infer<typeof Import>;
const example = Import.meta()?.['example'] as ImportRecord;
const running = (more: Partial<ImportRecord>): ImportRecord => ({ ...example, status: 'RUNNING', finishedAt: null, failed: 0, ...more });
const rowsOf = (more: Partial<ImportRecord>) => ({ phase: 'rows' as const, import: running(more) });

describe('the command line of npm run import', () => {
  test('has the options of the import, and paths relative to the folder in which npm was called', () => {
    const args = ['--type', 'users', 'in/a.csv', '--mode', 'upsert', '--dry-run', '--tenant', 'T', '--delimiter', ';', '--failed', 'b.csv'];
    expect(parseCommandLine([...args, '--format', 'csv', '--token-file', '/run/token', '--url', 'https://profile'], '/home')).toEqual({
      file: '/home/in/a.csv',
      url: 'https://profile',
      tenant: 'T',
      tokenFile: '/run/token',
      failed: '/home/b.csv',
      options: { type: 'users', mode: 'upsert', dryRun: true, format: 'csv', delimiter: ';', filename: 'a.csv' },
    });
    expect(parseCommandLine(['a.ndjson', '--type', 'customers', '--delimiter', 'tab'], '/')).toMatchObject({
      url: 'http://localhost:3000',
      tokenFile: undefined,
      options: { mode: 'create', dryRun: false, delimiter: '\t' },
    });
    expect(parseCommandLine(['--help'], '/')).toBeUndefined();
  });

  test.each([
    [[], 'FILE is missing'],
    [['--type', 'users', 'a', 'b'], 'More than one FILE: a, b'],
    [['a.csv'], '--type is missing. It must be one of organizations,'],
    [['a.csv', '--type', 'kings'], '--type is kings.'],
    [['a.csv', '--type', 'users', '--mode', 'merge'], '--mode is merge. It must be one of create, upsert'],
    [['a.csv', '--type', 'users', '--format', 'xlsx'], '--format is xlsx.'],
    [['a.csv', '--type', 'users', '--delimiter', '|'], '--delimiter is |.'],
    [['a.csv', '--type', 'users', '--token', 'secret'], "Unknown option '--token'"],
  ])('%j is wrong', (args, message) => {
    expect(() => parseCommandLine(args, '/')).toThrow(UsageError);
    expect(() => parseCommandLine(args, '/')).toThrow(message);
  });
});

test.each([
  [{ phase: 'upload', loaded: 1024 ** 2 }, undefined, 'Upload 1.0 MiB'],
  [{ phase: 'upload', loaded: 1024 ** 2, total: 4 * 1024 ** 2 }, undefined, 'Upload [#####---------------]  25 %  1.0 of 4.0 MiB'],
  [{ phase: 'upload', loaded: 0, total: 0 }, undefined, 'Upload [####################] 100 %  0.0 of 0.0 MiB'],
  [rowsOf({ status: 'QUEUED' }), undefined, 'Queued'],
  [rowsOf({ rows: null, processed: 1500 }), 100, 'Rows   1,500 rows  100 rows/s  0 failed'],
  [rowsOf({ rows: 0, processed: 0 }), undefined, 'Rows   0 of 0 rows  0 failed'],
  [
    rowsOf({ rows: 12_000, processed: 11_999, failed: 3 }),
    0.0125,
    'Rows   [###################-]  99 %  11,999 of 12,000 rows  0 rows/s  ETA 1:20  3 failed',
  ],
  [
    rowsOf({ rows: 1_000_000, processed: 100_000 }),
    200,
    'Rows   [##------------------]  10 %  100,000 of 1,000,000 rows  200 rows/s  ETA 1:15:00  0 failed',
  ],
  [rowsOf({ status: 'COMPLETED', rows: 10, processed: 10 }), undefined, 'Rows   [####################] 100 %  10 of 10 rows  0 failed'],
] as const)('the progress %j at %j rows/s is one line', (progress, rate, line) => {
  expect(progressLine(progress, rate)).toBe(line);
});

test('the rate counts the rows since the import was first seen running', () => {
  let time = 0;
  const measure = createRateMeter(() => time);
  expect(measure(running({ status: 'QUEUED', processed: 0 }))).toBeUndefined();
  time = 60_000;
  expect(measure(running({ processed: 500 }))).toBeUndefined();
  time = 60_100;
  expect(measure(running({ processed: 600 }))).toBeUndefined();
  time = 62_000;
  expect(measure(running({ processed: 1500 }))).toBe(500);
  expect(measure(running({ status: 'COMPLETED', processed: 1500 }))).toBeUndefined();
});

test('a terminal has one line that is rewritten and fits, other outputs a line at changes of the status and every 5 seconds', () => {
  const seen = [
    [0, rowsOf({ status: 'QUEUED' })],
    [1_000, rowsOf({ rows: 10, processed: 1 })],
    [2_000, rowsOf({ rows: 10, processed: 2 })],
    [6_000, rowsOf({ rows: 10, processed: 3 })],
    [6_100, rowsOf({ status: 'COMPLETED', rows: 10, processed: 10 })],
  ] as const;
  const show = (isTerminal: boolean) => {
    let [now, written] = [0, ''];
    const view = createProgressView({ write: (part) => (written += part), isTerminal, columns: () => 20, now: () => now });
    for (const [time, progress] of seen) {
      now = time;
      view.show(progress);
    }
    view.end();
    view.end();
    return written;
  };
  const rows = (share: string) => `\rRows   [${share}\u001b[K`;
  expect(show(true)).toBe(`\rQueued\u001b[K${rows('##---------')}${rows('####-------')}${rows('######-----')}${rows('###########')}\n`);
  expect(show(false)).toMatch(/^Queued\nRows .* 1 of 10 rows .*\nRows .* 3 of 10 rows .*\nRows .* 10 of 10 rows .*\n$/);
});

test.each([
  [{ status: 'COMPLETED', failed: 0 }, 0],
  [{ status: 'COMPLETED', failed: 1 }, 1],
  [{ status: 'CANCELLED', failed: 0 }, 1],
  [{ status: 'FAILED', failed: 0 }, 1],
] as const)('an import that is %j has the exit code %i', (ended, code) => {
  expect(exitCodeOf({ ...example, ...ended })).toBe(code);
});

test('the summary has the numbers, and says why an import failed', () => {
  const numbers = '1,100 created, 80 updated, 15 unchanged, 5 failed.';
  expect(describeImport(example)).toBe(`COMPLETED in 3 s: 1,200 of 1,200 rows; ${numbers}`);
  const failed = { status: 'FAILED', code: 'INVALID_IMPORT_FILE', message: 'Line 7 has 3 cells.', rows: null, finishedAt: null } as const;
  expect(describeImport({ ...example, ...failed, dryRun: true })).toBe(
    `Dry run, nothing was changed. FAILED: 1,200 rows; ${numbers}\nINVALID_IMPORT_FILE: Line 7 has 3 cells.`,
  );
});

test('a failed row has its number, its code and its invalid cells', () => {
  const row = { row: 7, status: 'FAILED', id: null, code: 'VALIDATION_FAILED', errors: [{ path: 'name', message: 'Too small' }] } as const;
  expect(describeRow({ ...row, errors: [...row.errors] })).toBe('row 7: VALIDATION_FAILED; name: Too small');
  expect(describeRow({ ...row, code: null, errors: [] })).toBe('row 7: failed');
});

test('lines are split wherever the chunks end', async () => {
  const bytes = new TextEncoder().encode('ação\n\nb\nc');
  const chunks = (async function* () {
    for (const byte of bytes) yield Uint8Array.of(byte);
  })();
  expect(await Array.fromAsync(linesOf(chunks))).toEqual(['ação', '', 'b', 'c']);
});

describe('npm run import', () => {
  /** Starts the command and a stub of the service. The import goes on until it is cancelled, or ends at once. */
  async function start(args: string[], { ends }: { ends: boolean }, token = 'token') {
    const requests: string[] = [];
    let status: ImportRecord['status'] = 'RUNNING';
    const server = createServer((request, response) => {
      void text(request).then(() => {
        const path = request.url ?? '';
        requests.push(`${request.method} ${path.replace(/\?.*/, '')} ${request.headers.authorization}`);
        if (path.includes('imports.cancel')) status = 'CANCELLED';
        else if (path.includes('imports.get') && ends) status = 'COMPLETED';
        const row = { row: 7, status: 'FAILED', id: null, code: 'ORGANIZATION_ALREADY_EXISTS', errors: [] };
        if (path.includes('/results')) return response.end(path.includes('csv') ? 'row\r\n7\r\n' : `${JSON.stringify(row)}\n`);
        const record = { ...example, status };
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(path.startsWith('/trpc') ? { result: { data: record } } : record));
      });
    });
    onTestFinished(() => void server.close());
    const folder = await mkdtemp(join(tmpdir(), 'profile-import-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'a.csv'), 'name\r\nVale\r\n');
    const all = ['scripts/import.ts', '--url', `http://127.0.0.1:${await listen(server)}`, ...args];
    const child = spawn(process.execPath, all, { cwd: root, env: { ...process.env, INIT_CWD: folder, PROFILE_TOKEN: token } });
    const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    return { child, requests, folder, ended: ended.then(([[code], out, errors]) => ({ code: code as number, out, errors })) };
  }

  test('prints the result and the failed rows, and writes the failed rows', async () => {
    const { ended, folder, requests } = await start(['--type', 'organizations', 'a.csv', '--failed', 'failed.csv'], { ends: true });
    const { code, out, errors } = await ended;
    expect([code, errors]).toEqual([1, '']);
    expect(out).toContain('COMPLETED in 3 s: 1,200 of 1,200 rows;');
    expect(out).toContain('  row 7: ORGANIZATION_ALREADY_EXISTS\n  … and 4 more.');
    expect(await readFile(join(folder, 'failed.csv'), 'utf8')).toBe('row\r\n7\r\n');
    expect(requests[0]).toBe('POST /api/imports Bearer token');
  });

  test('cancels the import on the first Ctrl-C', async () => {
    const { child, ended, requests } = await start(['--type', 'organizations', 'a.csv'], { ends: false });
    while (!requests.some((request) => request.includes('imports.get'))) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    const { code, out } = await ended;
    expect(code).toBe(1);
    expect(out).toMatch(/Cancelling the import\.[^]*CANCELLED in 3 s/);
    expect(requests).toContain('POST /trpc/imports.cancel Bearer token');
  });

  test('without a token, or with a file that does not exist, prints the usage and sends nothing', async () => {
    for (const [file, token, message] of [
      ['a.csv', '', 'PROFILE_TOKEN'],
      ['b.csv', 'token', 'FILE cannot be read: ENOENT'],
    ] as const) {
      const { ended, requests } = await start(['--type', 'organizations', file], { ends: true }, token);
      const { code, errors } = await ended;
      expect(code).toBe(2);
      expect(errors).toMatch(new RegExp(`^.*${message}.*\n\nusage: npm run import`));
      expect(requests).toEqual([]);
    }
  });
});
