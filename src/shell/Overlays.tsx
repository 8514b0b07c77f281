import { CheatSheet } from '#src/keys/CheatSheet.tsx';
import { Palette } from '#src/palette/Palette.tsx';

import { ReportDialog } from './ReportDialog.tsx';
import { RevealDialog } from './RevealDialog.tsx';

/**
 * The dialogs that open on top of the screens. The open state of each is kept outside (`layers.ts`, `work.ts`), so a
 * dialog can be opened before this component has loaded.
 */
export function Overlays() {
  return (
    <>
      <Palette />
      <CheatSheet />
      <ReportDialog />
      <RevealDialog />
    </>
  );
}
