import { randomBytes } from 'node:crypto';

/** Returns a new identifier: unique system-wide, also without its prefix (contract: Health, avatar, identifiers). */
export const newIdentifier = (prefix: 'parser' | 'field'): string => `${prefix}-${randomBytes(10).toString('hex')}`;
