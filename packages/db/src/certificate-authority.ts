import { readFileSync } from 'node:fs';
import type { ConnectOptions } from './database.ts';

/** What DATABASE_CA_FILE adds to the options of a connection: nothing where it is not set. Throws where the file cannot be read. */
export const authorityIn = (file: string | undefined): Pick<ConnectOptions, 'ca'> => (file ? { ca: readFileSync(file, 'utf8') } : {});
