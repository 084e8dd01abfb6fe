import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, run } from '../ci/command.ts';
import type { Records } from './records.ts';

const execute = promisify(execFile);

/** What `docker inspect` says about a container, as far as the steps use it. */
export interface Container {
  Id: string;
  Name: string;
  /** Id of its image. */
  Image: string;
  RestartCount: number;
  State: { Status: string; ExitCode: number; StartedAt: string; FinishedAt: string; Health?: { Status: string } };
  Config: { User: string };
  HostConfig: { ReadonlyRootfs: boolean; CapAdd: string[] | null; CapDrop: string[] | null; SecurityOpt: string[] | null };
}

/** The containers and volumes of docker-compose.yml under one project name, so that other installations on the machine are not touched. */
export class ComposeProject {
  readonly name: string;
  /** Changed when the project gets other settings. */
  envFile: string;
  /** Changed when the project gets another image. */
  image: string;
  #records: Records | undefined;

  constructor(name: string, envFile: string, image: string) {
    this.name = name;
    this.envFile = envFile;
    this.image = image;
  }

  /** The records that a step has created in the volumes. Throws if no step has. */
  get records(): Records {
    if (!this.#records) throw new Error('No records were created');
    return this.#records;
  }

  set records(records: Records) {
    this.#records = records;
  }

  /** The options of `docker compose` for this project. */
  get options(): string[] {
    return ['--project-name', this.name, '--env-file', this.envFile];
  }

  get environment(): Record<string, string> {
    return { API_IMAGE: this.image };
  }

  /** Runs an action with other settings. */
  async withEnvFile<T>(envFile: string, action: () => Promise<T>): Promise<T> {
    const before = this.envFile;
    this.envFile = envFile;
    try {
      return await action();
    } finally {
      this.envFile = before;
    }
  }

  /** Runs `docker compose` with its output shown. Throws if it fails. */
  compose(...args: string[]): Promise<void> {
    return run('docker', ['compose', '--progress', 'quiet', ...this.options, ...args], { env: this.environment });
  }

  /** Runs `docker compose` and returns what it printed and its exit code. */
  result(...args: string[]): Promise<Result> {
    return resultOf('docker', ['compose', '--progress', 'quiet', ...this.options, ...args], { cwd: root, env: this.environment });
  }

  /** Runs commands of docs/run/production.md as an operator types them, with this project as the default one. Throws if one fails. Returns their standard output. */
  async commands(text: string, folder: string): Promise<string> {
    console.log(text.replaceAll(/^/gm, '$ '));
    const env = {
      ...this.environment,
      COMPOSE_FILE: join(root, 'docker-compose.yml'),
      COMPOSE_PROJECT_NAME: this.name,
      COMPOSE_ENV_FILES: this.envFile,
      COMPOSE_PROGRESS: 'quiet',
    };
    const { code, stdout, text: printed } = await resultOf('bash', ['-euo', 'pipefail', '-c', text], { cwd: folder, env });
    if (code !== 0) throw new Error(`The commands exited with ${code}:\n${printed}`);
    return stdout;
  }

  /** Returns the containers of a service, also stopped ones. */
  async containers(service: string): Promise<Container[]> {
    const { text } = await this.result('ps', '--all', '--quiet', service);
    const ids = text.split('\n').filter(Boolean);
    return ids.length === 0 ? [] : (JSON.parse(await docker('inspect', ...ids)) as Container[]);
  }

  /** Returns the only container of a service. */
  async container(service: string): Promise<Container> {
    const [only, ...others] = await this.containers(service);
    if (!only || others.length > 0) throw new Error(`${service} has ${only ? others.length + 1 : 0} containers instead of one`);
    return only;
  }

  /** Runs one of the scripts in deploy/compose. Throws if it fails. */
  script(name: string, ...args: string[]): Promise<void> {
    return run('bash', [`deploy/compose/${name}`, ...args, ...this.options], { env: this.environment });
  }

  /** Runs one of the scripts in deploy/compose and returns what it printed and its exit code. */
  scriptResult(name: string, ...args: string[]): Promise<Result> {
    return resultOf('bash', [`deploy/compose/${name}`, ...args, ...this.options], { cwd: root, env: this.environment });
  }
}

/** What a program printed, and its exit code. */
interface Result {
  code: number;
  stdout: string;
  /** Standard output and error. */
  text: string;
}

async function resultOf(program: string, args: string[], { cwd, env }: { cwd: string; env: Record<string, string> }): Promise<Result> {
  try {
    const { stdout, stderr } = await execute(program, args, { cwd, env: { ...process.env, ...env } });
    return { code: 0, stdout, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, text: stdout + stderr };
  }
}

/** Whether this machine has a Docker engine with compose v2. */
export const hasDockerEngine = (): boolean => spawnSync('docker', ['compose', 'ls'], { stdio: 'ignore' }).status === 0;

/** Runs `docker` and returns what it printed. */
export async function docker(...args: string[]): Promise<string> {
  return (await execute('docker', args, { maxBuffer: 64 * 1024 ** 2 })).stdout;
}
