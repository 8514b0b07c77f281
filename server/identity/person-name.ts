import { LONGEST } from '#commands/text/lengths.ts';

/** What a person may be called, in characters: as an administrator enters it, and as the identity provider tells it. */
export const longestPersonName = LONGEST.personName;
