import { type Browser, chromium } from 'playwright-core';
import { findProgram } from './programs.ts';

/** Returns the path of an installed Chromium or Chrome, or null. */
export async function findChromium(): Promise<string | null> {
  const found = await Promise.all(['chromium', 'chromium-browser', 'google-chrome'].map(findProgram));
  return found.find((path) => path !== null) ?? null;
}

/** Starts a Chromium without a window. @param args more command-line arguments */
export function launchChromium(executablePath: string, args: string[] = []): Promise<Browser> {
  // Containers run as root, often with a small /dev/shm.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] });
}
