import { replaceInvisible } from './visible.ts';

/** Returns a user-chosen name, made safe for a sentence: without characters that would affect the surrounding text. */
export function plainName(name: string): string {
  return replaceInvisible(name).trim();
}
