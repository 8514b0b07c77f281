import common from './en/common.json' with { type: 'json' };
import core from './en/core.json' with { type: 'json' };
import screen from './en/screen.json' with { type: 'json' };
import screenNl from './nl/screen.json' with { type: 'json' };

/**
 * What every screen says something of: `core` (what the machinery says), `common` (what nouns share) and `screen` (what
 * screens are called). Dutch has the names of screens; everything else falls back to English.
 */
export const first = { en: { common, core, screen }, nl: { screen: screenNl } };
