import { z } from 'zod';
import { settingsSchema } from '../src/settings.ts';
import { documentedDefaults, groups, type SettingsGroup } from './setting-groups.ts';

const head = `# Settings

The service reads the settings from environment variables at start. It reports all errors in one message. An empty variable counts as absent.

\`pnpm generate reference\` generates this page from \`apps/api/src/settings.ts\` and \`apps/api/reference\`. Do not edit it.
`;

const foot = `The Helm chart has \`OTEL_EXPORTER_OTLP_HEADERS\` in \`secretSettings\`. Its NetworkPolicy allows port 4318 (\`networkPolicy.egress.collector\`). The exporter also reads \`OTEL_EXPORTER_OTLP_TIMEOUT\`, \`OTEL_EXPORTER_OTLP_COMPRESSION\`, \`OTEL_EXPORTER_OTLP_CERTIFICATE\`, \`OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE\`, \`OTEL_EXPORTER_OTLP_CLIENT_KEY\`, and the variants of all these names with \`_TRACES_\`.

## TRUST_PROXY

The rate limit of an address needs the address of the client. Without \`TRUST_PROXY\`, this is the address of the connection, which is correct if clients connect directly. Behind a proxy, all clients would share one limit.

With \`TRUST_PROXY\`, the service reads \`X-Forwarded-For\` from its end and skips trusted proxies. It ignores entries that the client itself added.

- \`TRUST_PROXY=1\`: one proxy in front of the service, which clients cannot bypass. \`2\`: a load balancer and a proxy.
- \`TRUST_PROXY=10.0.0.0/8, 2001:db8::7\`: addresses and networks of proxies. \`loopback\`, \`linklocal\` and \`uniquelocal\` are names of networks.
`;

/** Makes docs/run/settings.md. @throws if a setting has no description, or several */
export function settingsPage(): string {
  const names = groups.flatMap(({ meanings }) => Object.keys(meanings));
  for (const name of Object.keys(settingsSchema.shape)) {
    const count = names.filter((documented) => documented === name).length;
    if (count !== 1) throw new Error(`${name} is described ${count} times in apps/api/reference/setting-groups.ts, not once.`);
  }
  return [head, ...groups.map(section), foot].join('\n');
}

function section({ title, introduction, meanings }: SettingsGroup): string {
  const rows = Object.entries(meanings).map(([name, meaning]) => {
    const values = valuesOf(name as Name);
    return `| \`${name}\` | ${defaultOf(name as Name)} | ${values ? `${meaning} (${values})` : meaning} |`;
  });
  const parts = [`## ${title}`, introduction, ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n')];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

type Name = keyof typeof settingsSchema.shape;

/** The JSON Schema of a setting, before (`input`) or after (`output`) its text is converted. */
const jsonSchemaOf = (name: Name, io: 'input' | 'output') => z.toJSONSchema(settingsSchema.shape[name], { io, unrepresentable: 'any' });

function defaultOf(name: Name): string {
  const documented = documentedDefaults[name];
  if (documented !== undefined) return documented;
  const value = jsonSchemaOf(name, 'output').default;
  if (value !== undefined) return `\`${JSON.stringify(value).replaceAll('"', '')}\``;
  return settingsSchema.shape[name].safeParse(undefined).success ? 'none' : 'required';
}

/** The values that the schema accepts, if it lists them or limits a number. */
function valuesOf(name: Name): string | undefined {
  const { minimum, maximum } = jsonSchemaOf(name, 'output');
  if (minimum !== undefined && maximum !== undefined) return `${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`;
  return jsonSchemaOf(name, 'input')
    .enum?.map((value) => `\`${String(value)}\``)
    .join(', ');
}
