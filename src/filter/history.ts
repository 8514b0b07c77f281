const KEPT = 20;

const keyOf = (screen: string): string => `quarterdeck-filters-${screen}`;

/** Filters used on a screen, newest first. Kept in this browser; they may name tags and devices, never secrets. */
export function filterHistory(screen: string): readonly string[] {
  const stored = window.localStorage.getItem(keyOf(screen));
  if (stored === null) return [];
  try {
    const texts: unknown = JSON.parse(stored);
    return Array.isArray(texts) ? texts.filter((each): each is string => typeof each === 'string') : [];
  } catch {
    // Somebody else wrote there: begin anew.
    return [];
  }
}

export function rememberFilter(screen: string, text: string): void {
  if (!text) return;
  const texts = [text, ...filterHistory(screen).filter((each) => each !== text)].slice(0, KEPT);
  window.localStorage.setItem(keyOf(screen), JSON.stringify(texts));
}

export function forgetFilters(): void {
  const keys = Array.from({ length: window.localStorage.length }, (_, at) => window.localStorage.key(at));
  for (const key of keys) if (key?.startsWith(keyOf(''))) window.localStorage.removeItem(key);
}
