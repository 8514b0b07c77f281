import { manifestOf, type Manifest } from '#commands/registry/manifest.ts';

import { nouns } from './all.ts';

/** What is known of every noun before it has loaded. `vite.config.ts` replaces this module with its JSON in the console. */
export const manifest: Manifest = manifestOf(nouns);
