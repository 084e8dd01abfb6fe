import { isProofName, type ProofName, proofNames } from './proofs.ts';

interface Arguments {
  names: ProofName[];
  /** Options for each of the proofs. */
  options: string[];
  isList: boolean;
  /** What is wrong with the command line. */
  error?: string;
}

const usage = `usage: npm run proof -- NAME… [options]
       npm run proof -- --list
NAME is one of ${proofNames.join(', ')}.`;

/** Reads the arguments of `npm run proof`: names up to the first option. */
export function readArguments(args: readonly string[]): Arguments {
  const words = args.filter((word) => word !== '--');
  if (words.length === 1 && words[0] === '--list') return { names: [], options: [], isList: true };
  const end = words.findIndex((word) => word.startsWith('-'));
  const named = end === -1 ? words : words.slice(0, end);
  const unknown = named.filter((name) => !isProofName(name));
  const read = { names: named.filter(isProofName), options: words.slice(named.length), isList: false };
  if (unknown.length > 0) return { ...read, error: `There is no proof ${unknown.join(', ')}.\n${usage}` };
  return named.length === 0 ? { ...read, error: usage } : read;
}
