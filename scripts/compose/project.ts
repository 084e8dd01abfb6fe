import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { root, run } from '../ci/command.ts';
import type { Records } from './records.ts';

const execute = promisify(execFile);

/** What `docker inspect` says about a container, as far as the steps use it. */
export interface Container {
  Id: string;
  Name: string;
  RestartCount: number;
  State: { Status: string; ExitCode: number; StartedAt: string; FinishedAt: string; Health?: { Status: string } };
  Config: { User: string };
  HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[] | null; SecurityOpt: string[] | null };
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

  /** Runs `docker compose` with its output shown. Throws if it fails. */
  compose(...args: string[]): Promise<void> {
    return run('docker', ['compose', '--progress', 'quiet', ...this.options, ...args], { env: this.environment });
  }

  /** Runs `docker compose` and returns what it printed and its exit code. */
  async result(...args: string[]): Promise<{ code: number; text: string }> {
    const env = { ...process.env, ...this.environment };
    try {
      const { stdout, stderr } = await execute('docker', ['compose', '--progress', 'quiet', ...this.options, ...args], { cwd: root, env });
      return { code: 0, text: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, text: stdout + stderr };
    }
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

  /** Runs one of the scripts in deploy/compose. */
  script(name: string, ...args: string[]): Promise<void> {
    return run('bash', [`deploy/compose/${name}`, ...args, ...this.options], { env: this.environment });
  }
}

/** Whether this machine has a Docker engine with compose v2. */
export const hasDockerEngine = (): boolean => spawnSync('docker', ['compose', 'ls'], { stdio: 'ignore' }).status === 0;

/** Runs `docker` and returns what it printed. */
export async function docker(...args: string[]): Promise<string> {
  return (await execute('docker', args, { maxBuffer: 64 * 1024 ** 2 })).stdout;
}
