import { installKeycloak } from '../keycloak/install.ts';
import { installToxiproxy } from '../storage/toxiproxy.ts';
import { installVersitygw } from '../storage/versitygw.ts';
import { installGo } from './go.ts';
import { npmScript } from './npm-script.ts';
import type { Outcome } from './steps.ts';

/** `npm run test:faults`, with parts that are installed before. @param args its arguments */
export async function testFaults(...args: string[]): Promise<Outcome> {
  await installGo();
  await installVersitygw();
  await installToxiproxy();
  await installKeycloak();
  return npmScript('test:faults', ...args);
}
