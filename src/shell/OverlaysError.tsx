import { useEffect, useEffectEvent } from 'react';

import { closeLoadingLayer, isLayerLoading, isLayerOpen, watchLayers } from '#src/keymap/layer.ts';
import { keepFailedLayer, openFailedLayer } from '#src/state/kept-typing.ts';
import { cancelLayer, discardTyping } from '#src/state/key-queue.ts';
import { registerFailedPart } from '#src/ui/lazy-part.tsx';

/**
 * Replaces the overlays if they could not be loaded. Closes the overlay that the user opened, and keeps what the user
 * typed for it in case the user tries again. Opening an overlay tries to load the overlays again, without that text.
 */
export function OverlaysError({ retry }: { readonly retry: () => void }) {
  const retryLatest = useEffectEvent(retry);
  useEffect(() => {
    if (isLayerOpen()) {
      discardTyping();
      keepFailedLayer(closeLoadingLayer);
    }
    cancelLayer();
    const load = (): void => {
      if (!openFailedLayer()) retryLatest();
    };
    const unregister = registerFailedPart(load);
    const unwatch = watchLayers(() => {
      if (isLayerLoading()) retryLatest();
    });
    return () => {
      unregister();
      unwatch();
    };
  }, []);
  return null;
}
