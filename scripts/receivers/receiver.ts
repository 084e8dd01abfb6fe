import { join } from 'node:path';
import { cachedRequirements } from '../ci/python.ts';
import { root } from '../ci/command.ts';
import type { ProgramName } from '../programs.ts';

type Command = [program: string, ...args: string[]];

/** A receiver of webhooks in `examples/webhook-receivers`. It reads WEBHOOK_SECRET and PORT, and prints a line for each event: its id and its type. */
export interface Receiver {
  name: string;
  /** Folder in `examples/webhook-receivers`. */
  folder: string;
  programs: readonly ProgramName[];
  /** Installs what is shared between runs, and returns environment variables. */
  prepare?(): Promise<Record<string, string>>;
  install: readonly Command[];
  /** @param port where it listens */
  start(port: number): Command;
}

const node = {
  folder: 'node',
  programs: [],
  install: [['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline']],
} satisfies Partial<Receiver>;

export const receivers: readonly Receiver[] = [
  { ...node, name: 'Express', start: () => ['node', 'express.js'] },
  { ...node, name: 'Fastify', start: () => ['node', 'fastify.js'] },
  {
    name: 'FastAPI',
    folder: 'python',
    programs: ['python3 3.11', 'pip'],
    prepare: async () => ({
      PYTHONPATH: await cachedRequirements('webhook-receiver', join(root, 'examples/webhook-receivers/python/requirements.txt')),
    }),
    install: [],
    start: (port) => ['python3', '-m', 'uvicorn', 'main:app', '--port', String(port)],
  },
  {
    name: 'Go',
    folder: 'go',
    programs: ['go'],
    // An older Go fetches the one that go.mod asks for. Without cgo it needs no C compiler.
    prepare: () => Promise.resolve({ GOTOOLCHAIN: 'auto', GOFLAGS: '-modcacherw', CGO_ENABLED: '0' }),
    install: [
      ['go', 'vet', '.'],
      ['go', 'build', '-o', 'receiver', '.'],
    ],
    start: () => ['./receiver'],
  },
];
