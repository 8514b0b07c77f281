import type { AnyEntity } from '#commands/model/entity.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message, type Message } from '#commands/text/message.ts';

/** Returns the title of one of `Entity.sorts`. */
export const sortTitle = (entity: Pick<AnyEntity, 'name'>, sort: string): Message =>
  message(`${entity.name}:sorts.${sort}`);

/** Suggests each sort in both directions, with its title and its syntax. */
export function sortSuggestions(entity: Pick<AnyEntity, 'name' | 'sorts'>): readonly Suggestion[] {
  return entity.sorts.flatMap((name) =>
    [name, `-${name}`].map((value) => {
      const direction = value.startsWith('-') ? 'descending' : 'ascending';
      const title = message(`core:sort.${direction}`, { sort: sortTitle(entity, name) });
      return { value, label: value, message: title, detail: value };
    }),
  );
}
