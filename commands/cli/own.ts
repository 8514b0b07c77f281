/** What the command line can do besides the commands of the registry; the help and `did you mean` know these too. */
export const OWN = ['login', 'logout', 'undo'] as const;

export type OwnCommand = (typeof OWN)[number];

export function isOwn(word: string | undefined): word is OwnCommand {
  return (OWN as readonly (string | undefined)[]).includes(word);
}
