import { createContext } from 'react';

/**
 * The parent element of pop-up lists. Null stands for the body. A modal dialog is above the body and makes it inert, so
 * overlays that open inside a dialog must be mounted in it.
 */
export const OverlayContainer = createContext<HTMLElement | null>(null);
