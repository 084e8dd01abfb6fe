import { installGo } from './go.ts';
import { npmScript } from './npm-script.ts';
import type { Outcome } from './steps.ts';

/** `npm run test:clients`, in all languages. */
export async function testClients(): Promise<Outcome> {
  await installGo();
  return npmScript('test:clients');
}
