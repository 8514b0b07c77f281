import { replaceInvisible } from './visible.ts';

/** A user-chosen name, made safe for a sentence: without characters that would affect the surrounding text. */
export function plainName(name: string): string {
  return replaceInvisible(name).trim();
}
