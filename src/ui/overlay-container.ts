import { createContext } from 'react';

/**
 * Where lists and tooltips are mounted; null is the body. A modal dialog is above the body and makes it inert, so what
 * opens from inside a dialog has to be mounted inside it.
 */
export const OverlayContainer = createContext<HTMLElement | null>(null);
