import { useAtomValue } from 'jotai';

import { useText } from '#src/i18n/i18n.ts';
import { CheatSheet } from '#src/keys/CheatSheet.tsx';
import { Palette } from '#src/palette/Palette.tsx';
import { toastLaneAtom, toasts, toastsOverRowsAtom } from '#src/state/toasts.ts';
import { Toasts } from '#src/ui/overlays/Toasts.tsx';

import { ReportDialog } from './ReportDialog.tsx';
import { RevealDialog } from './RevealDialog.tsx';

/**
 * Everything that opens on top of the screens. The open state of each is kept outside (`layers.ts`, `work.ts`), so a
 * dialog can be opened before this component has loaded.
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
