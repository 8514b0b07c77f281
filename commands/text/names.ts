import { replaceInvisible } from './visible.ts';

/** Makes a user-chosen name safe for a sentence by removing characters that would affect the surrounding text. */
export function plainName(name: string): string {
  return replaceInvisible(name).trim();
}
