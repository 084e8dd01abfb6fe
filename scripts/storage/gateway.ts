import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../test/free-port.ts';
import { startServerProcess } from './server-process.ts';
import { installVersitygw } from './versitygw.ts';

export interface GatewayOptions {
  /** Default: us-east-1. */
  region?: string;
  /** Folder in which the folder of its data is created; default: that of temporary files. */
  parentFolder?: string;
  /** Whether to print its errors; default true. A full disk causes many. */
  printErrors?: boolean;
  /** Whether buckets can keep versions. */
  versioning?: boolean;
  /** PEM file with a certificate for localhost and its key: the gateway then uses TLS. */
  pemFile?: string;
}

export interface Gateway {
  /** The service's settings for it. The bucket does not exist yet. */
  settings: Record<string, string>;
  /** Creates a key that may create no buckets. @returns the settings with this key */
  addLimitedKey(): Promise<Record<string, string>>;
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same address with the same data, after `kill`. */
  start(): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/** Starts an S3 gateway over a temporary folder. */
export async function startGateway({
  region = 'us-east-1',
  parentFolder = tmpdir(),
  printErrors = true,
  versioning = false,
  pemFile,
}: GatewayOptions = {}): Promise<Gateway> {
  const program = await installVersitygw();
  const folder = await mkdtemp(join(parentFolder, 'profile-service-versitygw-'));
  const [objects, metadata, versions, keys] = await Promise.all(
    // Metadata lies in files, since not every file system has extended attributes.
    ['objects', 'metadata', 'versions', 'keys'].map(async (name) => {
      await mkdir(join(folder, name));
      return join(folder, name);
    }),
  );
  const [accessKey, secret] = ['storage-test', randomBytes(20).toString('hex')];
  const port = await freePort();
  const endpoint = pemFile ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  const listener = ['--port', `127.0.0.1:${port}`, '--region', region, '--iam-dir', keys ?? '', '--keep-alive', '--quiet'];
  const tls = pemFile ? ['--cert', pemFile, '--key', pemFile] : [];
  const backend = ['posix', '--sidecar', metadata ?? '', ...(versioning ? ['--versioning-dir', versions ?? ''] : []), objects ?? ''];
  const args = [...listener, ...tls, ...backend];
  const start = () =>
    startServerProcess(program, args, port, { ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secret }, printErrors ? 'inherit' : 'ignore');
  let server = await start();
  const settings = {
    STORAGE_ENDPOINT: endpoint,
    STORAGE_REGION: region,
    STORAGE_BUCKET: 'profile-service',
    STORAGE_ACCESS_KEY_ID: accessKey,
    STORAGE_SECRET_ACCESS_KEY: secret,
  };
  return {
    settings,
    async addLimitedKey() {
      const limited = { STORAGE_ACCESS_KEY_ID: 'limited', STORAGE_SECRET_ACCESS_KEY: randomBytes(20).toString('hex') };
      const root = ['--access', accessKey, '--secret', secret, '--region', region, '--endpoint-url', endpoint];
      const user = ['--access', limited.STORAGE_ACCESS_KEY_ID, '--secret', limited.STORAGE_SECRET_ACCESS_KEY, '--role', 'user'];
      await promisify(execFile)(program, ['admin', ...root, 'create-user', ...user]);
      return { ...settings, ...limited };
    },
    kill: () => server.kill(),
    start: async () => void (server = await start()),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}
