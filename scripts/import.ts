import { openAsBlob } from 'node:fs';
import { access, constants, readFile, writeFile } from 'node:fs/promises';
import { createProfileClient, type Import, type ImportResult, isProfileError, type ProfileClient } from '@profile-service/client';
import { type CommandLine, parseCommandLine, usage, UsageError } from './import/command-line.ts';
import { describeImport, describeRow, exitCodeOf, linesOf } from './import/outcome.ts';
import { count, createProgressView } from './import/progress.ts';

/* The command `npm run import`: imports a file of records, and shows its progress. */

/** Failed rows that are printed. */
const shownRows = 10;
/** Milliseconds to wait for the end of an import that was cancelled. */
const cancelTimeoutMs = 10_000;

const { env, stdout } = process;
const print = (line: string): unknown => stdout.write(`${line}\n`);
const printError = (line: string): unknown => process.stderr.write(`${line}\n`);

try {
  const command = parseCommandLine(process.argv.slice(2), env['INIT_CWD'] ?? process.cwd());
  if (command) process.exitCode = await importFile(command);
  else stdout.write(usage);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  printError(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}

/** Imports the file, and prints how it ends. Returns the exit code. @throws UsageError if the token is missing or the file cannot be read */
async function importFile(command: CommandLine): Promise<number> {
  const { file, url, tenant } = command;
  const profile = createProfileClient({ url, tenantId: tenant, token: tokenSource(command) });
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new UsageError(`FILE cannot be read: ${(error as Error).message}`);
  });
  // A Blob, unlike a stream, can be uploaded again after a temporary failure. It is not loaded into memory.
  const content = await openAsBlob(file);
  const view = createProgressView({
    write: (text) => stdout.write(text),
    isTerminal: stdout.isTTY,
    // 0 on a terminal without a size.
    columns: () => stdout.columns || 80,
    now: () => performance.now(),
  });
  const { abort, release } = cancelBySignals(() => view.end());
  let known: Import | undefined;
  try {
    const ended = await profile.imports.run(content, {
      ...command.options,
      signal: abort,
      onProgress(progress) {
        if (progress.phase === 'rows') known = progress.import;
        if (!abort.aborted) view.show(progress);
      },
    });
    release();
    view.end();
    return await report(profile, ended, command.failed);
  } catch (error) {
    view.end();
    if (!isProfileError(error, 'ABORTED')) return fail(error, known);
    if (!known) return fail('Cancelled during the upload.', undefined);
    const ended = await profile.imports.wait(known.id, { signal: AbortSignal.timeout(cancelTimeoutMs) }).catch(() => undefined);
    return ended ? await report(profile, ended, command.failed) : fail('The import could not be cancelled.', known);
  }
}

function tokenSource({ tokenFile }: CommandLine): string | (() => Promise<string>) {
  if (tokenFile !== undefined) return async () => (await readFile(tokenFile, 'utf8')).trim();
  const token = env['PROFILE_TOKEN'];
  if (!token) throw new UsageError('Set the environment variable PROFILE_TOKEN, or --token-file');
  return token;
}

/** Returns a signal that Ctrl-C aborts. The second Ctrl-C ends the process, after `release` the first one does. */
function cancelBySignals(endLine: () => void): { abort: AbortSignal; release(): void } {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const cancel = (name: string) => {
    if (controller.signal.aborted) process.exit(1);
    endLine();
    print('Cancelling the import. Press Ctrl-C again to leave at once.');
    controller.abort(new Error(`Cancelled by ${name}`));
  };
  for (const name of names) process.on(name, cancel);
  return { abort: controller.signal, release: () => names.forEach((name) => process.off(name, cancel)) };
}

/** Prints the result of an import, and writes its failed rows. Returns the exit code. */
async function report(profile: ProfileClient, ended: Import, failedFile: string | undefined): Promise<number> {
  print(`${describeImport(ended)}\nId of the import: ${ended.id}`);
  try {
    if (ended.failed > 0) await printFailedRows(profile, ended);
    if (failedFile !== undefined) {
      const { body } = await profile.imports.results(ended.id, { status: 'FAILED', format: 'csv' });
      await writeFile(failedFile, body);
      print(`Wrote ${count(ended.failed)} failed rows to ${failedFile}`);
    }
  } catch (error) {
    return fail(error, undefined);
  }
  return exitCodeOf(ended);
}

/** Prints the first failed rows, and reads no more of the results. */
async function printFailedRows(profile: ProfileClient, { id, failed }: Import): Promise<void> {
  const { body } = await profile.imports.results(id, { status: 'FAILED', format: 'ndjson' });
  let shown = 0;
  for await (const line of linesOf(body)) {
    print(`  ${describeRow(JSON.parse(line) as ImportResult)}`);
    shown += 1;
    if (shown === shownRows) break;
  }
  if (failed > shown) print(`  … and ${count(failed - shown)} more. --failed FILE writes all of them.`);
}

/** Prints an error. Returns the exit code. @param known the import, if it may continue on the service */
function fail(error: unknown, known: Import | undefined): number {
  printError(error instanceof Error ? error.message : String(error));
  if (isProfileError(error)) for (const { path, message } of error.fieldErrors) printError(`  ${path}: ${message}`);
  if (known) printError(`The import ${known.id} may continue on the service.`);
  return 1;
}
