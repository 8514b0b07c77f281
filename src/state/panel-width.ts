import { storedAtom } from './stored-atom.ts';

/** The design's default, in px. */
const DEFAULT_WIDTH = 380;

/** Width of the side panel in px. Stored per browser. */
export const panelWidthAtom = storedAtom('quarterdeck-panel-width', DEFAULT_WIDTH, (stored) =>
  typeof stored === 'number' ? stored : DEFAULT_WIDTH,
);
