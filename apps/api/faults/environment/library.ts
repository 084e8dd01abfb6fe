import { glob } from 'node:fs/promises';

/** Returns the path of a shared library of Debian. @param name its file name  @param debianPackage the package to name in the error */
export async function findLibrary(name: string, debianPackage: string): Promise<string> {
  for await (const path of glob([`/usr/lib/${name}`, `/usr/lib/*/${name}`, `/usr/lib/*/faketime/${name}`])) return path;
  throw new Error(`${name} is missing: install it (Debian: apt-get install ${debianPackage})`);
}
