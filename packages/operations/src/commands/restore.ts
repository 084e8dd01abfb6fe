import { endEarlierTimelineOf, restore } from '../backup/restore.ts';
import { readDataSettings } from '../settings.ts';
import { runCommand, UsageError } from './command.ts';

const usage = `usage: npm run restore -- FOLDER
       npm run restore -- --database-restored

Restores the backup in FOLDER into an empty database and an empty storage, with the settings of the service. The service must not run.
  --database-restored  PostgreSQL or a managed service has restored the database: only end what was valid after the restore point`;

/** The command `npm run restore`, in the image `node dist/restore.js`. */
await runCommand(
  {
    usage,
    options: ['database-restored'],
    async run({ folder, given, signal }) {
      if (given.has('database-restored') === (folder !== undefined)) throw new UsageError('Name either FOLDER or --database-restored\n');
      const settings = readDataSettings(process.env);
      if (folder === undefined) await endEarlierTimelineOf({ settings, print: console.log });
      else await restore({ settings, folder, environment: process.env, signal, print: console.log });
    },
  },
  process.env,
);
