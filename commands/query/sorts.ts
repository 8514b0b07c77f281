import type { AnyEntity } from '#commands/model/entity.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message, type Message } from '#commands/text/message.ts';

/** What a list of an entity can be sorted by, as people call it: a text for each of `Entity.sorts`. */
export const sortTitle = (of: Pick<AnyEntity, 'name'>, sort: string): Message => message(`${of.name}:sorts.${sort}`);

/** Each sort in both directions, as a line writes it and as it reads. */
export function sortSuggestions(of: Pick<AnyEntity, 'name' | 'sorts'>): readonly Suggestion[] {
  return of.sorts.flatMap((name) =>
    [name, `-${name}`].map((value) => {
      const direction = value.startsWith('-') ? 'descending' : 'ascending';
      const text = message(`core:sort.${direction}`, { sort: sortTitle(of, name) });
      return { value, label: value, message: text, detail: value };
    }),
  );
}
