/** The prefixes that narrow the search. `entity` is the name of the entity to search. */
export const PREFIXES: readonly {
  readonly prefix: string;
  readonly scope: 'commands' | 'items' | 'help';
  readonly entity?: string;
}[] = [
  { prefix: '>', scope: 'commands' },
  { prefix: '@', scope: 'items', entity: 'device' },
  { prefix: '#', scope: 'items', entity: 'tag' },
  { prefix: '~', scope: 'items', entity: 'organization' },
  { prefix: '?', scope: 'help' },
];

export interface Scope {
  /** The query without the prefix. */
  readonly query: string;
  readonly commands: boolean;
  readonly help: boolean;
  /** The names of the entities to search. If undefined, all are searched. */
  readonly entities: readonly string[] | undefined;
  /** The typed number including its `#`. Although `#` is the prefix for tags, it can be the id of any item. */
  readonly id?: string;
}

export function parseScope(text: string): Scope {
  const match = PREFIXES.find(({ prefix }) => text.startsWith(prefix));
  const query = text.slice(match ? 1 : 0).trim();
  if (!match) return { query, commands: true, help: false, entities: undefined };
  return {
    query,
    commands: match.scope === 'commands',
    help: match.scope === 'help',
    entities: match.entity === undefined ? [] : [match.entity],
    ...(/^#\d+$/.test(text.trim()) ? { id: text.trim() } : {}),
  };
}
