import { withoutUnseen } from './visible.ts';

/**
 * A name that somebody gave themselves, as it may stand within a sentence: it changes nothing of what is written
 * around it.
 */
export function plainName(name: string): string {
  return withoutUnseen(name).trim();
}
