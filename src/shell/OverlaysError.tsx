import { useEffect, useEffectEvent } from 'react';

import { closeLoadingLayer, isLayerLoading, watchLayers } from '#src/keymap/layer.ts';
import { cancelLayer, discardTyping } from '#src/state/key-queue.ts';
import { listFailedPart } from '#src/ui/lazy-part.tsx';

/**
 * In place of the overlays if they could not be loaded: closes the one that was opened, and drops the keystrokes for
 * it, which must not run once it has loaded later. Opening one tries again.
 */
export function OverlaysError({ retry }: { readonly retry: () => void }) {
  const retryLatest = useEffectEvent(retry);
  useEffect(() => {
    if (closeLoadingLayer()) discardTyping();
    cancelLayer();
    const load = (): void => retryLatest();
    const removeFromList = listFailedPart(load);
    const unwatch = watchLayers(() => {
      if (isLayerLoading()) load();
    });
    return () => {
      removeFromList();
      unwatch();
    };
  }, []);
  return null;
}
