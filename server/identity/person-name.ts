import { MAX_LENGTH } from '#commands/text/lengths.ts';

/**
 * The maximum length of a person's name, in characters: both as entered by an administrator and from the identity
 * provider.
 */
export const MAX_PERSON_NAME_LENGTH = MAX_LENGTH.personName;
