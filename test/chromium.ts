import { findProgram } from './programs.ts';

/** Returns the path of an installed Chromium or Chrome; null if there is none. */
export async function findChromium(): Promise<string | null> {
  const found = await Promise.all(['chromium', 'chromium-browser', 'google-chrome'].map(findProgram));
  return found.find((path) => path !== null) ?? null;
}
