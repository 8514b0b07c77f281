import manifest from '../../package.json' with { type: 'json' };

/** The version of package.json that this was built from. */
export const VERSION: string = manifest.version;
