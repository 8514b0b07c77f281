import { useAtomValue } from 'jotai';
import { useEffect } from 'react';

import { nounText, translate, useLanguage } from '#src/i18n/i18n.ts';
import { loadCountAtom, registry } from '#src/registry/registry.ts';
import { whenIdle } from '#src/ui/when-idle.ts';

import { commandIndex } from './rows/command-index.ts';

/** Builds the index of commands when the browser is idle, because the first opening would have to wait for it. */
export function useIdleIndex(): void {
  const language = useLanguage();
  // Each load creates another registry, which needs its own index.
  const loadCount = useAtomValue(loadCountAtom);
  useEffect(
    () => whenIdle(() => void commandIndex({ registry: registry(), language, translate, words: nounText })),
    [language, loadCount],
  );
}
