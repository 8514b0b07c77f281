import { useAtomValue } from 'jotai';

import { CheatSheet } from '#src/keys/CheatSheet.tsx';
import { useText } from '#src/i18n/i18n.ts';
import { Palette } from '#src/palette/Palette.tsx';
import { toastLaneAtom, toasts, toastsOverRowsAtom } from '#src/state/toasts.ts';
import { Toasts } from '#src/ui/overlays/Toasts.tsx';
import { ReportDialog } from './ReportDialog.tsx';
import { RevealDialog } from './RevealDialog.tsx';

/**
 * What lies over the screens when it is asked for. Whether each is open is state (`layers.ts`, `work.ts`), not a
 * matter of this having been loaded.
 */
export function Overlays() {
  const text = useText();
  const overRows = useAtomValue(toastsOverRowsAtom);
  const lane = useAtomValue(toastLaneAtom);
  return (
    <>
      <Palette />
      <CheatSheet />
      <ReportDialog />
      <RevealDialog />
      <Toasts store={toasts} place={overRows ?? lane} label={text('toast.region')} closeLabel={text('toast.close')} />
    </>
  );
}
