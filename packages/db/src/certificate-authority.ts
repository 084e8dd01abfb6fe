import { readFileSync } from 'node:fs';
import type { ConnectOptions } from './database.ts';

/** The connection option for DATABASE_CA_FILE; empty when it is not set. Throws when the file cannot be read. */
export const authorityIn = (file: string | undefined): Pick<ConnectOptions, 'ca'> => (file ? { ca: readFileSync(file, 'utf8') } : {});
