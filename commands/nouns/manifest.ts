import { createManifest, type Manifest } from '#commands/registry/manifest.ts';

import { nouns } from './all.ts';

/**
 * Describes every noun, so the console can show it before loading its code. The build embeds the manifest in the
 * console as JSON (`vite.config.ts`).
 */
export const manifest: Manifest = createManifest(nouns);
