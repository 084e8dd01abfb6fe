import { installToxiproxy } from '../storage/toxiproxy.ts';
import { installVersitygw } from '../storage/versitygw.ts';
import { installGo } from './go.ts';
import { npmScriptWith } from './npm-script.ts';
import type { Outcome } from './steps.ts';

/**
 * `npm run test:storage`, on a gateway and a toxiproxy that are built before.
 * @param uploadMib size of the file of the memory test in MiB
 */
export async function testStorage(uploadMib: number): Promise<Outcome> {
  await installGo();
  await installVersitygw();
  await installToxiproxy();
  return npmScriptWith({ UPLOAD_MIB: String(uploadMib) }, 'test:storage');
}
