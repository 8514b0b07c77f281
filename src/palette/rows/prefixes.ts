/** What a first letter narrows the palette to; `entity` by name. */
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
  /** What is asked for, without the prefix. */
  readonly query: string;
  readonly commands: boolean;
  readonly help: boolean;
  /** Names of the entities to search; undefined for all of them. */
  readonly entities: readonly string[] | undefined;
}

export function scopeOf(text: string): Scope {
  const found = PREFIXES.find(({ prefix }) => text.startsWith(prefix));
  const query = text.slice(found ? 1 : 0).trim();
  if (!found) return { query, commands: true, help: false, entities: undefined };
  return {
    query,
    commands: found.only === 'commands',
    help: found.only === 'help',
    entities: found.entity === undefined ? [] : [found.entity],
  };
}
