/**
 * The command line before a program that must end with this process, even after SIGKILL. Only Linux has this; elsewhere it is empty.
 * scripts/bootstrap/platform.mjs has the same in plain JavaScript, because it runs before TypeScript can.
 */
export const endWithParent: readonly string[] = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'TERM'] : [];
