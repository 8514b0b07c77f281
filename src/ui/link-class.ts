/** The look of a name in text that opens something. */
export const LINK_CLASS = 'rounded-chip text-left text-accent decoration-1 underline-offset-2 hover:underline';
