import { useSetAtom } from 'jotai';

import { toastLaneAtom, toastsOverRowsAtom } from '#src/state/toasts.ts';

/** The top right of a table's rows: beside the panel, and below all controls. */
export function ToastsOverRows() {
  const place = useSetAtom(toastsOverRowsAtom);
  return <div ref={place} className="pointer-events-none absolute top-9 right-4 z-10 max-w-[calc(100%-32px)]" />;
}

/** Takes up space only while toasts are open, at the bottom: nothing above moves. */
export function ToastLane() {
  const place = useSetAtom(toastLaneAtom);
  return (
    <div ref={place} className="flex shrink-0 justify-end border-line has-[li]:border-t has-[li]:px-3 has-[li]:py-2" />
  );
}
