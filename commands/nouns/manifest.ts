import { manifestOf, type Manifest } from '#commands/registry/manifest.ts';

import { nouns } from './all.ts';

/** What is known of every noun before it has loaded. The console gets it as JSON: `vite.config.ts` evaluates this module. */
export const manifest: Manifest = manifestOf(nouns);
