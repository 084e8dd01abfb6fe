import { remove, replace, returns } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const test = (name: string): string => `packages/webhooks/test/${name}.test.ts`;
const urls = test('unit/hostile-urls');

/** Requests to the internal network through webhooks, and forged or endless responses. */
export const webhookRequests: readonly Mutant[] = [
  mutant('A webhook reaches private addresses', returns('isPublic', 'true'), urls),
  mutant('A webhook reaches the metadata service of Azure', replace('isPublic', 'address !== metadata', 'true'), urls),
  mutant('A webhook reaches an IPv4 address inside an IPv6 address', replace('isPublic', 'globalUnicast.check(..._)', 'true'), urls),
  mutant(
    'A name with a public and a private address is connected to',
    replace('resolveTarget', 'addresses.every(_test)', 'addresses.some(_test)'),
    urls,
  ),
  mutant(
    'A name that changes after its check is connected to',
    replace('createConnector', 'await resolveTarget(_, _, _resolve)', 'await _resolve(options.hostname)'),
    urls,
  ),
  mutant('A webhook is sent without TLS', replace('isAllowed', "protocol === 'https:' && _public", '_public'), urls),
  mutant('A webhook reaches an internal service on a privileged port', replace('parseWebhookUrl', 'Number(url.port) > 1023', 'true'), urls),
  mutant('The connected socket is not checked', replace('openSocket', 'isAllowed(_)', 'true'), test('unit/open-socket')),
  mutant('The environment switches off the validation of certificates', remove('createConnector', 'rejectUnauthorized: true'), test('tls')),
  mutant('A long response is read to its end', replace('BodyStart.read', 'length > limitBytes', 'false'), test('receivers')),
  mutant('A secret is decrypted although it was changed', remove('SecretBox.decrypt', 'decipher.final()'), test('unit/secrets')),
];
