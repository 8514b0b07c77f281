import { holdKeys, type KeyHold } from '#src/state/key-queue.ts';

/** Holds the text that is typed into the line before it has loaded. */
export interface EarlyText {
  /** Called when the line gets the focus. */
  hold(): void;
  /** Called when the user leaves the line. */
  drop(): void;
  /** Moves the focus and the text to the loaded line, if the user is still in the line. */
  moveTo(field: HTMLInputElement | null): void;
}

export function createEarlyText(): EarlyText {
  let keys: KeyHold | undefined;
  return {
    hold: () => {
      keys = holdKeys();
    },
    drop: () => {
      keys?.drop();
      keys = undefined;
    },
    moveTo: (field) => {
      if (!keys) return;
      field?.focus();
      keys.release();
      keys = undefined;
    },
  };
}
