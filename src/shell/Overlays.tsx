import { useAtomValue } from 'jotai';
import { useEffect } from 'react';

import { CheatSheet } from '#src/keys/CheatSheet.tsx';
import { resolveKeyConflicts } from '#src/keys/custom-keys.ts';
import { useFirstTour } from '#src/keys/tour/first-tour.ts';
import { Palette } from '#src/palette/Palette.tsx';
import { tourOpenAtom } from '#src/state/layers.ts';
import { lazyPart } from '#src/ui/lazy-part.tsx';

import { followUnits } from './follow-units.ts';
import { ReportDialog } from './ReportDialog.tsx';
import { RevealDialog } from './RevealDialog.tsx';

/** Loaded on demand, because most users have already seen the tour. */
const Tour = lazyPart<object>(async () => (await import('#src/keys/tour/Tour.tsx')).Tour);

/**
 * The dialogs that open on top of the screens. Their open state is stored outside this component (`layers.ts`,
 * `work.ts`), so a dialog can be opened before this component has loaded.
 */
export function Overlays() {
  const isTourOpen = useAtomValue(tourOpenAtom);
  useFirstTour();
  useEffect(resolveKeyConflicts, []);
  useEffect(followUnits, []);
  return (
    <>
      <Palette />
      <CheatSheet />
      {isTourOpen && <Tour />}
      <ReportDialog />
      <RevealDialog />
    </>
  );
}
