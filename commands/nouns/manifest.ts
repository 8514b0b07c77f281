import { manifestOf, type Manifest } from '#commands/registry/manifest.ts';

import { nouns } from './all.ts';

/** Describes every noun before its code loads. The console loads the manifest as JSON; see `vite.config.ts`. */
export const manifest: Manifest = manifestOf(nouns);
