import { backUp } from '../backup/back-up.ts';
import { readDataSettings } from '../settings.ts';
import { runCommand, UsageError } from './command.ts';

const usage = `usage: npm run backup -- FOLDER [--allow-missing-files]

Writes a backup of the database and the files into FOLDER, which must be new or empty, with the settings of the service. The service keeps running.
  --allow-missing-files  back up also if the storage lacks files of attachments`;

/** The command `npm run backup`, in the image `node dist/backup.js`. */
await runCommand(
  {
    usage,
    options: ['allow-missing-files'],
    async run({ folder, given, signal }) {
      if (folder === undefined) throw new UsageError('FOLDER is missing\n');
      await backUp({
        settings: readDataSettings(process.env),
        folder,
        environment: process.env,
        signal,
        print: console.log,
        allowMissing: given.has('allow-missing-files'),
      });
    },
  },
  process.env,
);
