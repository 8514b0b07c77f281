/** The commands that exist only on the command line, outside the registry. Help and suggestions include them. */
export const BUILT_IN = ['login', 'logout', 'undo'] as const;

export type BuiltInCommand = (typeof BUILT_IN)[number];

export function isBuiltIn(word: string | undefined): word is BuiltInCommand {
  return (BUILT_IN as readonly (string | undefined)[]).includes(word);
}
