import { useAtomValue } from 'jotai';

import { useText } from '#src/i18n/i18n.ts';
import { toastLaneAtom, toasts, toastsOverRowsAtom } from '#src/state/toasts.ts';
import { Toasts } from '#src/ui/overlays/Toasts.tsx';

/** The console's toasts, in the container that the screen provides. */
export function ToastList() {
  const t = useText();
  const overRows = useAtomValue(toastsOverRowsAtom);
  const lane = useAtomValue(toastLaneAtom);
  return <Toasts store={toasts} container={overRows ?? lane} label={t('toast.region')} closeLabel={t('toast.close')} />;
}
