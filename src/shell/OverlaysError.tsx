import { useEffect, useEffectEvent } from 'react';

import { closeLoadingLayer, isLayerLoading, watchLayers } from '#src/keymap/layer.ts';
import { cancelLayer, discardTyping } from '#src/state/key-queue.ts';
import { registerFailedPart } from '#src/ui/lazy-part.tsx';

/**
 * Replaces the overlays if they could not be loaded. Closes the overlay that the user opened and discards what the user
 * typed for it, which must not be replayed if it loads later. Opening an overlay tries to load the overlays again.
 */
export function OverlaysError({ retry }: { readonly retry: () => void }) {
  const retryLatest = useEffectEvent(retry);
  useEffect(() => {
    if (closeLoadingLayer()) discardTyping();
    cancelLayer();
    const load = (): void => retryLatest();
    const unregister = registerFailedPart(load);
    const unwatch = watchLayers(() => {
      if (isLayerLoading()) load();
    });
    return () => {
      unregister();
      unwatch();
    };
  }, []);
  return null;
}
