import { go } from './go.ts';
import { java } from './java.ts';
import type { Language } from './language.ts';
import { python } from './python.ts';
import { typescript } from './typescript.ts';

const languages: Readonly<Record<string, Language>> = { ts: typescript, python, go, java };

/** Returns the languages in CLIENTS, such as `CLIENTS=ts,python`; all if it is not set. @throws Error for an unknown name */
export function chosenLanguages(): Language[] {
  const names = (process.env['CLIENTS'] || Object.keys(languages).join(',')).split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !Object.hasOwn(languages, name));
  if (unknown.length > 0)
    throw new Error(`CLIENTS names unknown languages: ${unknown.join(', ')}. They are ${Object.keys(languages).join(', ')}.`);
  return names.flatMap((name) => languages[name] ?? []);
}
