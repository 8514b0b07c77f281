type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** A text that is not in a field yet, after a press; undefined for a press that types nothing. */
export function typedAhead(text: string, { key, ctrlKey, metaKey, altKey }: Press): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Backspace') return [...text].slice(0, -1).join('');
  return [...key].length === 1 ? text + key : undefined;
}
