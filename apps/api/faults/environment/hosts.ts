import { utimes, writeFile } from 'node:fs/promises';
import { findLibrary } from './library.ts';

/** The host names under which the instances reach their dependencies. */
export const hosts = ['postgres.test', 'redis.test', 'identity.test', 'storage.test'] as const;

/** Host names that only the instances know, and that a fault can remove. */
export interface Hosts {
  /** Variables of the instances. */
  environment: Record<string, string>;
  /** Makes all names unknown. */
  forget(): Promise<void>;
  /** Makes them known again. */
  know(): Promise<void>;
}

/** Creates the names with nss_wrapper, which answers name look-ups of a process from a file. @param file where the names are stored */
export async function createHosts(file: string): Promise<Hosts> {
  let modifiedAt = Math.floor(Date.now() / 1_000);
  const write = async (text: string) => {
    await writeFile(file, text);
    // nss_wrapper reads the file again if this time has changed, and ignores fractions of a second.
    modifiedAt += 1;
    await utimes(file, modifiedAt, modifiedAt);
  };
  const know = () => write(hosts.map((host) => `127.0.0.1 ${host}\n`).join(''));
  await know();
  return {
    environment: { LD_PRELOAD: await findLibrary('libnss_wrapper.so', 'libnss-wrapper'), NSS_WRAPPER_HOSTS: file },
    forget: () => write('127.0.0.1 unknown.test\n'),
    know,
  };
}

/** Returns the URL with another host name. */
export function withHost(address: string, host: (typeof hosts)[number]): string {
  const url = new URL(address);
  url.hostname = host;
  return url.href.replace(/\/$/, '');
}
