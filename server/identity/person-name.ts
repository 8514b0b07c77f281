import { MAX_LENGTH } from '#commands/text/lengths.ts';

/**
 * The maximum length of a person's name, in characters, whether an administrator enters it or it comes from the
 * identity provider.
 */
export const MAX_PERSON_NAME_LENGTH = MAX_LENGTH.personName;
