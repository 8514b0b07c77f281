import { atomWithStorage } from 'jotai/utils';

/** px of the side panel; the look's default is 380. Per browser. */
export const panelWidthAtom = atomWithStorage('quarterdeck-panel-width', 380, undefined, { getOnInit: true });
