import { storedAtom } from './stored-atom.ts';

/** The design's default in px, for windows up to 1650 px. */
const DEFAULT_WIDTH = 380;
/** The panel's fraction of the width of larger windows, whose tables have room to spare. */
const WIDE_WINDOW_FRACTION = 0.23;

const initialWidth = Math.max(DEFAULT_WIDTH, Math.round(window.innerWidth * WIDE_WINDOW_FRACTION));

/** Width of the side panel in px. Stored per browser. */
export const panelWidthAtom = storedAtom('quarterdeck-panel-width', initialWidth, (stored) =>
  typeof stored === 'number' ? stored : initialWidth,
);
