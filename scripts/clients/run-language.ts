import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { machinePath, root } from '../ci/command.ts';
import type { Outcome } from '../ci/steps.ts';
import { checkCount, type Language, type Step } from './language.ts';

/**
 * Generates, compiles and runs the client of a language, in a copy of its example. The first step that fails ends it.
 * @param document the OpenAPI document  @param env addresses for the programs
 */
export async function runLanguage(language: Language, document: string, env: Record<string, string>): Promise<Outcome> {
  const total = { passed: 0, failed: 0 };
  const folder = await mkdtemp(join(tmpdir(), `profile-service-${language.folder}-`));
  try {
    const prepared = await language.prepare?.();
    await copyExample(language, folder);
    await writeFile(join(folder, 'openapi.json'), document);
    for (const step of language.steps) {
      const { passed, failed } = await runStep(step, folder, { ...env, ...prepared });
      total.passed += passed;
      total.failed += failed;
      if (failed > 0) break;
    }
  } catch (error) {
    console.error(`${language.folder}: ${error instanceof Error ? error.message : String(error)}`);
    total.failed += 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return total;
}

/** Copies the example without what a developer has installed and generated there. */
async function copyExample({ folder, checks: [file, path] }: Language, target: string): Promise<void> {
  const own = /\/(node_modules|dist|target|profile|profile_client|\.venv|__pycache__|\.mypy_cache|openapi\.json|schema\.d\.ts)$/;
  await cp(join(root, 'examples', folder), target, { recursive: true, filter: (source) => !own.test(source) });
  await cp(join(root, 'scripts/clients/checks', file), join(target, path));
}

async function runStep({ name, command, checks, prints = [] }: Step, cwd: string, env: Record<string, string>): Promise<Outcome> {
  const [program, ...args] = command;
  console.log(`$ ${command.join(' ')}`);
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd, env: { ...process.env, PATH: machinePath(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  output = stripVTControlCharacters(output);
  const missing = prints.filter((text) => !output.includes(text));
  const results = checks
    ? [...output.matchAll(checks.line)].map(([, result]) => result === checks.passed)
    : [code === 0 && missing.length === 0];
  const passed = results.filter(Boolean).length;
  // The program may fail besides its checks, or end before it has run all.
  const failed = Math.max(results.length - passed, code !== 0 || (checks && results.length !== checkCount) ? 1 : 0);
  if (failed > 0) console.log(output);
  for (const text of missing) console.log(`The output does not contain "${text}".`);
  console.log(`  ${name}: ${passed} passed, ${failed} failed, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return { passed, failed };
}
