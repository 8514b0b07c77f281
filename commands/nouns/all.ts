import { createRegistry, type Noun } from '#commands/registry/registry.ts';

/** The folders of all nouns, in rail order. A folder that is missing here is reported at startup. */
const folders: readonly string[] = [
  'device',
  'process-point',
  'transfer',
  'outbound-transfer',
  'tag',
  'value',
  'export',
  'webhook',
  'token',
  'parser',
  'field',
  'user',
  'invitation',
  'access-request',
  'role',
  'organization',
  'support-session',
  'sign-in',
  'me',
  'view',
  'timeline',
  'chart',
  'parser-bench',
  'support',
  'help',
  'app',
];

const declarations = new Map(
  Object.entries(import.meta.glob<Noun>('./*/*/noun.ts', { eager: true, import: 'noun' })).map(([path, noun]) => [
    path.split('/').at(-2) ?? '',
    noun,
  ]),
);
for (const folder of declarations.keys())
  if (!folders.includes(folder)) throw new Error(`The noun "${folder}" is missing in commands/nouns/all.ts.`);

/** All nouns by folder name, in rail order. */
export const nouns: Readonly<Record<string, Noun>> = Object.fromEntries(
  folders.map((folder) => [folder, declarationIn(folder)]),
);

/** All commands and entities, for surfaces that load everything: the terminal and tests. */
export const registry = createRegistry(Object.values(nouns));

function declarationIn(folder: string): Noun {
  const noun = declarations.get(folder);
  if (noun === undefined) throw new Error(`commands/nouns/all.ts lists "${folder}", which has no noun.ts.`);
  return noun;
}
