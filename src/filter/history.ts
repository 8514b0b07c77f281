import type { Context } from '#commands/model/context.ts';
import { browserStorage } from '#src/state/browser-storage.ts';

const KEPT = 20;

/** A list of one organization, for one person. */
interface Place extends Pick<Context, 'actor' | 'organization'> {
  readonly entity: string;
}

const keyOf = ({ actor, organization, entity }: Place): string =>
  `quarterdeck-filters:${actor.id}:${organization.id}:${entity}`;

/**
 * Filters used in a place, newest first. Kept in this browser; they may name tags and devices, never secrets, and so
 * those of one organization are not offered in another, nor those of one person to the next one at this browser.
 */
export function filterHistory(place: Place): readonly string[] {
  const stored = browserStorage.get(keyOf(place));
  if (stored === undefined) return [];
  try {
    const texts: unknown = JSON.parse(stored);
    return Array.isArray(texts) ? texts.filter((text): text is string => typeof text === 'string') : [];
  } catch {
    // Somebody else wrote there: begin anew.
    return [];
  }
}

export function rememberFilter(place: Place, text: string): void {
  if (!text) return;
  const texts = [text, ...filterHistory(place).filter((value) => value !== text)].slice(0, KEPT);
  browserStorage.set(keyOf(place), JSON.stringify(texts));
}
