import { manifestOf, type Manifest } from '#commands/registry/manifest.ts';

import { nouns } from './all.ts';

/** What is known of every noun before it has loaded. In the console it is JSON: see `vite.config.ts`. */
export const manifest: Manifest = manifestOf(nouns);
