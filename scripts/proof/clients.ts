import type { Outcome } from '../ci/steps.ts';
import { startDemoService } from '../clients/demo-service.ts';
import { chosenLanguages } from '../clients/languages.ts';
import { startLaterVersion } from '../clients/later-version.ts';
import { runLanguage } from '../clients/run-language.ts';
import { closeWith } from './run-vitest.ts';

/**
 * `npm run proof -- clients`: generates clients from the document that the service serves, compiles them, and runs the examples and checks against the service.
 * CLIENTS chooses languages, such as `CLIENTS=ts,python`. The last line says how many tests passed and failed.
 */
interface Example {
  components: { schemas: { Organization: { examples: [object] } } };
}

await closeWith(async () => {
  const service = await startDemoService();
  const document = await (await fetch(`${service.url}/openapi.json`)).text();
  const later = await startLaterVersion((JSON.parse(document) as Example).components.schemas.Organization.examples[0]);
  const env = { PROFILE_URL: service.url, TOKEN_URL: service.tokenUrl, LATER_VERSION_URL: later.url };
  const total: Outcome = { passed: 0, failed: 0 };
  const summary: string[] = [];
  try {
    for (const language of chosenLanguages()) {
      console.log(`\n── ${language.folder}`);
      const startedAt = performance.now();
      const { passed, failed } = await runLanguage(language, document, env);
      total.passed += passed;
      total.failed += failed;
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      summary.push(`${failed > 0 ? 'FAILED ' : 'ok     '} ${seconds.padStart(7)} s  ${language.folder}`);
    }
  } finally {
    later.stop();
    await service.stop();
  }
  console.log(`\n${summary.join('\n')}\n`);
  return total;
});
