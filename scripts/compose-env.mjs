// `npm run compose:env -- [--file .env] [NAME=value…]`: writes the settings of docker-compose.yml for production, from .env.example with new secrets.
// Plain JavaScript for Node 18 and later, because nothing has to be installed for it.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const example = fileURLToPath(new URL('../.env.example', import.meta.url));
/** Values that only the operator knows. The example has values for a laptop. */
const toReview = /^(PUBLIC_URL|WEB_URL|IDENTITY_URL|BOOTSTRAP_GLOBAL_(EMAIL|NAME|TAX_ID)|SMTP_\w+)$/;
/** The values become parts of a JSON document. Docker Compose reads these characters as they are, without quotes. */
const allowed = /^(?! )[\p{L}\p{M}\d_.~:/@,+= -]*(?<! )$/u;
const inUrl = /^(DATABASE|REDIS)_PASSWORD$/;
const allowedInUrl = /^[\w.~-]*$/;

const { values, positionals } = parseArgs({ options: { file: { type: 'string', default: '.env' } }, allowPositionals: true });
const given = new Map();
for (const text of positionals) {
  const [name] = text.split('=', 1);
  if (name === text) fail(`${name} has no value: write ${name}=value`);
  given.set(name, text.slice(name.length + 1));
}

const lines = readFileSync(example, 'utf8')
  .replace(
    /^# Settings for development.*\n# Every secret.*$/m,
    '# Settings for production, written by `npm run compose:env`. docs/run/production.md describes them.',
  )
  .split('\n');
const known = lines.map((line) => /^#?([A-Z_]+)=/.exec(line)?.[1]).filter(Boolean);
for (const [name, value] of given) {
  if (!known.includes(name)) fail(`${name} is no setting of .env.example`);
  if (!allowed.test(value)) fail(`${name} may contain only letters, digits, . _ ~ : / @ , + = - and spaces between them`);
  if (inUrl.test(name) && !allowedInUrl.test(value))
    fail(`${name} is a part of a URL: it may contain only the letters A to Z, digits and . _ ~ -`);
}

/** Settings that have the value of the example. */
const unchanged = [];
const text = lines.map((line) => {
  const [, name, value = ''] = /^#?([A-Z_]+)=(.*)$/.exec(line) ?? [];
  if (!name) return line;
  if (given.has(name)) return `${name}=${given.get(name)}`;
  if (name === 'NODE_ENV') return 'NODE_ENV=production';
  if (name === 'WEBHOOK_ENCRYPTION_KEY') return `${name}=${randomBytes(32).toString('base64')}`;
  if (value.includes('dev-only-') && !line.startsWith('#')) return `${name}=${randomBytes(24).toString('hex')}`;
  unchanged.push(name);
  return line;
});

try {
  // Only the owner may read it. An existing file is never overwritten: its secrets would be lost.
  writeFileSync(values.file, text.join('\n'), { flag: 'wx', mode: 0o600 });
} catch (error) {
  fail(error.code === 'EEXIST' ? `${values.file} exists: move it away first` : error.message);
}
const open = unchanged.filter((name) => toReview.test(name));
console.log(
  `${values.file} has new secrets.${open.length > 0 ? ` Check these settings, which have the values of .env.example: ${open.join(', ')}` : ''}`,
);

function fail(message) {
  console.error(message);
  process.exit(1);
}
