import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inherited } from '../../../../test/inherited.ts';

const folder = fileURLToPath(new URL('../../../../examples/frontend', import.meta.url));
const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js');

/**
 * Builds the example, and serves the files with its headers, as `npm run build` and `npm run preview` do.
 * @param settings the variables of its `.env`  @param outDir folder for the files
 */
export async function servePage(settings: Record<string, string>, port: number, outDir: string): Promise<{ stop(): Promise<void> }> {
  const options = { cwd: folder, env: { ...inherited, ...settings } };
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', outDir, '--emptyOutDir'], options);
  const args = [vite, 'preview', '--outDir', outDir, '--port', String(port), '--strictPort'];
  const server = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  await new Promise<void>((resolve, reject) => {
    createInterface(server.stdout)
      .on('line', (line) => {
        if (line.includes('Local')) resolve();
      })
      .on('close', () => reject(new Error('vite preview exited')));
  });
  return {
    async stop() {
      server.kill();
      await exited;
    },
  };
}
