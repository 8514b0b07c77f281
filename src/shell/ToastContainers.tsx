import { useSetAtom } from 'jotai';

import { toastLaneAtom, toastsOverRowsAtom } from '#src/state/toasts.ts';

/** The container for toasts on a screen with a table: the top right of its rows, clear of the panel and controls. */
export function ToastsOverRows() {
  const setContainer = useSetAtom(toastsOverRowsAtom);
  return <div ref={setContainer} className="pointer-events-none absolute top-9 right-4 z-10 max-w-[calc(100%-32px)]" />;
}

/** The container for toasts on other screens: a lane at the bottom. Takes up space only while toasts are open. */
export function ToastLane() {
  const setContainer = useSetAtom(toastLaneAtom);
  return (
    <div
      ref={setContainer}
      className="flex shrink-0 justify-end border-line has-[li]:border-t has-[li]:px-3 has-[li]:py-2"
    />
  );
}
