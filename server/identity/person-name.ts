import { MAX_LENGTH } from '#commands/text/lengths.ts';

/**
 * The maximum length of a person's name, in characters: both as entered by an administrator and from the identity
 * provider.
 */
export const longestPersonName = MAX_LENGTH.personName;
