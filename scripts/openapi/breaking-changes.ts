import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installGoProgram } from '../go-program.ts';
import { type OpenApiDocument, withErrorCodes } from './error-codes.ts';

const oasdiff = { name: 'oasdiff', path: 'github.com/oasdiff/oasdiff', version: 'v1.30.0' };

/** Days between the deprecation of an operation and the earliest date of its removal. */
const deprecationDays = 180;

/** Changes that oasdiff reports as information only, but that break generated clients. */
const severityLevels = fileURLToPath(new URL('severity-levels.txt', import.meta.url));

/** Builds oasdiff, or returns the path of the one that was built before. Needs Go 1.21 or later. */
export const installOasdiff = (): Promise<string> => installGoProgram(oasdiff);

/**
 * Finds the breaking changes between two documents. Returns what oasdiff says about them, one line for each; empty if there is none.
 * @param program path of oasdiff  @param declared path of a file with changes to ignore, one a line: method, path and text as in the output
 */
export function breakingChanges(program: string, released: OpenApiDocument, current: OpenApiDocument, declared?: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-openapi-'));
  try {
    const files = Object.entries({ released, current }).map(([name, document]) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(withErrorCodes(document)));
      return file;
    });
    const ignore = declared === undefined ? [] : ['--err-ignore', declared, '--warn-ignore', declared];
    const options = [
      '--format',
      'json',
      '--severity-levels',
      severityLevels,
      '--deprecation-days-stable',
      String(deprecationDays),
      ...ignore,
    ];
    const { stdout, stderr, status } = spawnSync(program, ['breaking', ...files, ...options], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`oasdiff exited with ${status}: ${stderr}`);
    return (JSON.parse(stdout || '[]') as Change[]).map(({ operation = '', path = '', section, text }) =>
      [operation, path || `in ${section}`, text].join(' ').trim(),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Change {
  text: string;
  section: string;
  operation?: string;
  path?: string;
}
