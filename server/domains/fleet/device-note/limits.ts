/** The most notes in a call of `Add`. */
export const MAX_NOTES_PER_CALL = 100;

/** The most notes on a page, so a page of long notes with long histories fits into a response. */
export const MAX_NOTES_PER_PAGE = 100;

/** The most characters in a note's text and all its earlier texts together. An edit beyond this is rejected. */
export const MAX_NOTE_CHARACTERS = 100_000;

/** The most files of a note. */
export const MAX_NOTE_FILES = 50;
