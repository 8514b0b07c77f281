import { useEffect, useEffectEvent } from 'react';

import { closeLoadingLayer, isLayerLoading, watchLayers } from '#src/keymap/layer.ts';
import { cancelLayer, discardTyping } from '#src/state/key-queue.ts';
import { listFailedPart } from '#src/ui/lazy-part.tsx';

/**
 * Replaces the overlays if they could not be loaded. Closes the overlay that the user opened and drops its keystrokes,
 * which must not run if it loads later. Opening an overlay tries to load the overlays again.
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
