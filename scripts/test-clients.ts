import type { Outcome } from './ci/steps.ts';
import { startDemoService } from './clients/demo-service.ts';
import { go } from './clients/go.ts';
import { java } from './clients/java.ts';
import { startLaterVersion } from './clients/later-version.ts';
import { python } from './clients/python.ts';
import { runLanguage } from './clients/run-language.ts';
import { typescript } from './clients/typescript.ts';
import { closeWith } from './run-vitest.ts';

/**
 * `npm run test:clients`: generates clients from the document that the service serves, compiles them, and runs the examples and checks against the service.
 * CLIENTS chooses languages, such as `CLIENTS=ts,python`. Fails where a toolchain is missing. The last line says how many tests passed and failed.
 */
const languages = { ts: typescript, python, go, java };
type Name = keyof typeof languages;

function chosen(): Name[] {
  const names = (process.env['CLIENTS'] || Object.keys(languages).join(',')).split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !Object.hasOwn(languages, name));
  if (unknown.length > 0)
    throw new Error(`CLIENTS names unknown languages: ${unknown.join(', ')}. They are ${Object.keys(languages).join(', ')}.`);
  return names as Name[];
}

interface Example {
  components: { schemas: { Organization: { examples: [object] } } };
}

await closeWith(async () => {
  const names = chosen();
  const service = await startDemoService();
  const document = await (await fetch(`${service.url}/openapi.json`)).text();
  const later = await startLaterVersion((JSON.parse(document) as Example).components.schemas.Organization.examples[0]);
  const env = { PROFILE_URL: service.url, TOKEN_URL: service.tokenUrl, LATER_VERSION_URL: later.url };
  const total: Outcome = { passed: 0, failed: 0 };
  const summary: string[] = [];
  try {
    for (const name of names) {
      console.log(`\n── ${languages[name].folder}`);
      const startedAt = performance.now();
      const { passed, failed } = await runLanguage(languages[name], document, env);
      total.passed += passed;
      total.failed += failed;
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      summary.push(`${failed > 0 ? 'FAILED ' : 'ok     '} ${seconds.padStart(7)} s  ${languages[name].folder}`);
    }
  } finally {
    later.stop();
    await service.stop();
  }
  console.log(`\n${summary.join('\n')}\n`);
  return total;
});
