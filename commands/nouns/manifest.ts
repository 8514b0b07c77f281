import { manifestOf, type Manifest } from '#commands/registry/manifest.ts';

import { nouns } from './all.ts';

/**
 * Describes every noun, so the console need not load its code. Built into the console as JSON; see `vite.config.ts`.
 */
export const manifest: Manifest = manifestOf(nouns);
