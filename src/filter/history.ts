import type { Context } from '#commands/model/context.ts';
import { browserStorage } from '#src/state/browser-storage.ts';

const MAX_FILTERS = 20;

/** A list in one organization, for one user. */
interface HistoryScope extends Pick<Context, 'actor' | 'organization'> {
  readonly entity: string;
}

const keyOf = ({ actor, organization, entity }: HistoryScope): string =>
  `quarterdeck-filters:${actor.id}:${organization.id}:${entity}`;

/**
 * Returns the recently used filters of a list, newest first, from this browser's storage. They can name tags and
 * devices, but never secrets, so they are not offered in other organizations or to other users of this browser.
 */
export function filterHistory(scope: HistoryScope): readonly string[] {
  const storedText = browserStorage.get(keyOf(scope));
  if (storedText === undefined) return [];
  try {
    const filters: unknown = JSON.parse(storedText);
    return Array.isArray(filters) ? filters.filter((text): text is string => typeof text === 'string') : [];
  } catch {
    // The stored text isn't in our format, so start over.
    return [];
  }
}

export function rememberFilter(scope: HistoryScope, text: string): void {
  if (!text) return;
  const filters = [text, ...filterHistory(scope).filter((value) => value !== text)].slice(0, MAX_FILTERS);
  browserStorage.set(keyOf(scope), JSON.stringify(filters));
}
