import type { Sent } from './sent.ts';

/** The request as a shell command. `$TOKEN` stands for the caller's token. */
export function curlOf(url: string, { method, target, headers, body, caller }: Sent): string {
  const all = { ...(caller.token === undefined ? {} : { authorization: 'Bearer $TOKEN' }), ...headers };
  const options = Object.entries(all).map(([name, value]) => (value === '' ? `-H "${name};"` : `-H "${name}: ${inQuotes(value)}"`));
  const call = ['curl -i --path-as-is -X', method, ...options, `'${url}${target.replaceAll("'", '%27')}'`].join(' ');
  const who = `# as ${caller.name}`;
  if (body === undefined) return `${call} ${who}`;
  return `printf '${printable(body)}' | ${call} --data-binary @- ${who}`;
}

const inQuotes = (value: string): string => (value === 'Bearer $TOKEN' ? value : value.replaceAll(/["\\$`]/g, String.raw`\$&`));

/** Escapes bytes that are not printable as octal numbers, for bash's printf. */
const printable = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[^\x20-\x7e]|[\\%']/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
