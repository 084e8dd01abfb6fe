/** The variables of this process that its child processes get. */
export const inherited = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  POSTGRES_BIN: process.env['POSTGRES_BIN'],
};
