import { readFileSync } from 'node:fs';
import type { ConnectOptions } from './database.ts';

/** Returns the connection option for DATABASE_CA_FILE, or none if it is not set. Throws if the file cannot be read. */
export const authorityIn = (file: string | undefined): Pick<ConnectOptions, 'ca'> => (file ? { ca: readFileSync(file, 'utf8') } : {});
