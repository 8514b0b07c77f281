import manifest from '../../package.json' with { type: 'json' };

/** The version in package.json at build time. */
export const VERSION: string = manifest.version;
