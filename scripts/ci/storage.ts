import { installVersitygw } from '../storage/versitygw.ts';
import { installGo } from './go.ts';
import { npmScript } from './npm-script.ts';
import type { Outcome } from './steps.ts';

/** `npm run test:storage`, on a gateway that is built before. */
export async function testStorage(): Promise<Outcome> {
  await installGo();
  await installVersitygw();
  return npmScript('test:storage');
}
