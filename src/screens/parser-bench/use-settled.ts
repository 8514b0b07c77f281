import { useEffect, useState } from 'react';

/** The characters above which processing a text takes noticeably longer than typing a letter. */
const LONG = 20_000;
const PAUSE_MS = 250;

/** Returns a text to process as it is typed; a long one only once the typing pauses. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  const isLong = text.length > LONG;
  useEffect(() => {
    if (!isLong) return undefined;
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isLong]);
  return isLong ? settled : text;
}
