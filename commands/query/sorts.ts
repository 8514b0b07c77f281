import type { AnyEntity } from '#commands/model/entity.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message, type Message } from '#commands/text/message.ts';

/** What a list of an entity can be sorted by, as people call it: a text for each of `Entity.sorts`. */
export const sortTitle = (pick: Pick<AnyEntity, 'name'>, sort: string): Message =>
  message(`${pick.name}:sorts.${sort}`);

/** Each sort in both directions, as a line writes it and as it reads. */
export function sortSuggestions(pick: Pick<AnyEntity, 'name' | 'sorts'>): readonly Suggestion[] {
  return pick.sorts.flatMap((name) =>
    [name, `-${name}`].map((value) => {
      const direction = value.startsWith('-') ? 'descending' : 'ascending';
      const text = message(`core:sort.${direction}`, { sort: sortTitle(pick, name) });
      return { value, label: value, message: text, detail: value };
    }),
  );
}
