/** Prefixes that narrow the search; `entity` is an entity's name. */
export const PREFIXES: readonly {
  readonly prefix: string;
  readonly only: 'commands' | 'items' | 'help';
  readonly entity?: string;
}[] = [
  { prefix: '>', only: 'commands' },
  { prefix: '@', only: 'items', entity: 'device' },
  { prefix: '#', only: 'items', entity: 'tag' },
  { prefix: '~', only: 'items', entity: 'organization' },
  { prefix: '?', only: 'help' },
];

export interface Scope {
  /** The query without the prefix. */
  readonly query: string;
  readonly commands: boolean;
  readonly help: boolean;
  /** Names of the entities to search; undefined for all. */
  readonly entities: readonly string[] | undefined;
  /** A typed id with its `#`, which is also the prefix of tags: it names an item of any entity with numbers. */
  readonly id?: string;
}

export function scopeOf(text: string): Scope {
  const matched = PREFIXES.find(({ prefix }) => text.startsWith(prefix));
  const query = text.slice(matched ? 1 : 0).trim();
  if (!matched) return { query, commands: true, help: false, entities: undefined };
  return {
    query,
    commands: matched.only === 'commands',
    help: matched.only === 'help',
    entities: matched.entity === undefined ? [] : [matched.entity],
    ...(/^#\d+$/.test(text.trim()) ? { id: text.trim() } : {}),
  };
}
